//! AUT, DOT and SVG.

mod support;

use lariat_base::SourceMap;
use lariat_lts::{ActionTable, Lts, StateKind, aut, dot, svg};
use support::*;

fn read(text: &str, actions: &mut ActionTable) -> Result<Lts, String> {
    let mut sources = SourceMap::new();
    let source = sources.add("system.aut", text);
    aut::read(source, text, actions).map_err(|diagnostics| {
        diagnostics
            .iter()
            .map(|diagnostic| diagnostic.render(&sources, false))
            .collect::<Vec<_>>()
            .join("\n")
    })
}

#[test]
fn aut_is_read_as_other_tools_write_it() {
    let mut actions = ActionTable::new();
    let text = "des (1, 6, 4)\r\n(1,\"PUT !3, !TRUE\",0)\n\n (0, i, 1)\n(0,tau,2)\n(0, plain(1,2), 2)\n(1, \"i()\", 3)\n(1, return{-2}, 3)\n";
    let lts = read(text, &mut actions).unwrap_or_else(|message| panic!("{message}"));
    assert_eq!((lts.state_count(), lts.transition_count()), (4, 6));
    for name in ["PUT !3, !TRUE", "plain(1,2)", "i", "return{-2}"] {
        let action = actions.find(name).expect(name);
        assert!(lts.alphabet().contains(action), "{name}");
    }
    assert_eq!(lts.alphabet().len(), 4);
    assert_eq!(
        lts.states()
            .filter(|&state| lts.kind(state) == StateKind::Stop)
            .count(),
        2
    );
    // CADP and mCRL2: τ, quoted or not.
    let quoted = read("des (0, 2, 2)\n(0, \"i\", 1)\n(0, \"tau\", 1)\n", &mut actions);
    let quoted = quoted.unwrap_or_else(|message| panic!("{message}"));
    assert!(quoted.alphabet().is_empty());
    assert_eq!(quoted.transition_count(), 1);
    let with_error =
        read("des (0, 1, 1)\n(0, \"a\", -1)\n", &mut actions).unwrap_or_else(|message| panic!("{message}"));
    assert_eq!(with_error.state_count(), 2);
    assert!(
        with_error
            .states()
            .any(|state| with_error.kind(state) == StateKind::Error)
    );
}

#[test]
fn aut_round_trips() {
    let mut actions = ActionTable::new();
    let alphabet = names(&mut actions, "a b.1 return{} return{7} i");
    for seed in 0..200 {
        let mut numbers = Random::new(seed);
        let states = 1 + numbers.below(12);
        let triples = random_triples(&mut numbers, states, &alphabet, 4);
        let lts = system(states, &triples, []);
        let text = aut::write(&lts, &actions);
        let again = read(&text, &mut actions).unwrap_or_else(|message| panic!("{message}"));
        assert_eq!(again, lts);
        assert_eq!(aut::write(&again, &actions), text);
    }
}

#[test]
fn wrong_aut_is_refused_with_a_place_and_a_hint() {
    for (text, parts) in [
        ("", &["starts with `des"][..]),
        (
            "graph (0, 1, 1)",
            &["not an AUT header", "system.aut:1:1", "initial state"],
        ),
        ("des (0, 1)", &["not an AUT header"]),
        ("des (3, 0, 2)", &["initial state 3 is none of the 2"]),
        ("des (0, 0, 0)", &["is none of the 0"]),
        (
            "des (0, 1, 1)\n(0, a, 4)",
            &["state 4 is none", "system.aut:2:1", "0 to 0"],
        ),
        ("des (0, 1, 1)\n(0, a, x)", &["`x` is not a state number"]),
        (
            "des (0, 1, 1)\n(0, a)",
            &["not a transition", "one transition on each line"],
        ),
        ("des (0, 1, 1)\n(0, , 0)", &["not a transition"]),
        (
            "des (0, 2, 1)\n(0, a, 0)",
            &["2 transitions are announced, but there are 1"],
        ),
        ("des (0, 0, 99999999999)", &["too many states"]),
    ] {
        let message = match read(text, &mut ActionTable::new()) {
            Ok(_) => panic!("{text:?} was accepted"),
            Err(message) => message,
        };
        for part in parts {
            assert!(
                message.contains(part),
                "{part:?} is missing for {text:?}:\n{message}"
            );
        }
    }
}

const MODEL: &str = "
    DOOR = CLOSED,
    CLOSED = (open -> OPEN | lock -> (unlock -> CLOSED | break -> ERROR)),
    OPEN = (close -> CLOSED | slam -> CLOSED | look -> OPEN | remove -> STOP).
";

fn door(actions: &mut ActionTable) -> Lts {
    fsp(MODEL, "DOOR", actions)
}

#[test]
fn dot_marks_the_start_and_merges_arrows() {
    let mut actions = ActionTable::new();
    let text = dot::write(&door(&mut actions), &actions, "a \"door\"");
    for part in [
        "digraph \"a \\\"door\\\"\"",
        "start -> s0;",
        "label=\"CLOSED\"",
        "label=\"close\\nslam\"",
        "label=\"ERROR\", shape=octagon",
        "label=\"STOP\", shape=box",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    assert_eq!(text.matches("->").count(), 1 + 7);
}

/// States and labels do not lie on each other, and no arrow is drawn over a label.
fn check_no_overlap(text: &str) {
    let rectangles: Vec<(&str, [f64; 4])> = text
        .lines()
        .filter_map(|line| {
            let rest = line.strip_prefix("<rect class=\"")?;
            let numbers = ["x", "y", "width", "height"].map(|name| {
                let start = rest.find(&format!(" {name}=\"")).expect("an attribute") + name.len() + 3;
                let end = start + rest[start..].find('"').expect("its end");
                rest[start..end].parse().expect("a number")
            });
            Some((line, numbers))
        })
        .collect();
    for (index, (line, [x, y, width, height])) in rectangles.iter().enumerate() {
        for (other_line, [other_x, other_y, other_width, other_height]) in &rectangles[..index] {
            let apart = x + width <= other_x + 0.2
                || other_x + other_width <= x + 0.2
                || y + height <= other_y + 0.2
                || other_y + other_height <= y + 0.2;
            assert!(apart, "{line}\nlies on\n{other_line}\nin\n{text}");
        }
    }
    // The last arrow is that to the first state.
    let arrows: Vec<usize> = text
        .match_indices("<path class=")
        .map(|(place, _)| place)
        .collect();
    let first_label = text.find("<text class=\"l\"").unwrap_or(text.len());
    let over = arrows[..arrows.len() - 1]
        .iter()
        .any(|&arrow| arrow > first_label);
    assert!(!over, "{text}");
}

/// Start and end tags match, and no number went wrong.
fn check_svg(text: &str) {
    check_no_overlap(text);
    assert!(text.starts_with("<svg ") && text.trim_end().ends_with("</svg>"));
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    let mut open: Vec<&str> = Vec::new();
    for tag in text.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("every tag ends");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().expect("a name"));
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn svg_shows_every_state_and_label() {
    let mut actions = ActionTable::new();
    let text = svg::draw(&door(&mut actions), &actions, "door & <gate>").expect("it is small");
    check_svg(&text);
    for part in [
        "<title>door &amp; &lt;gate&gt;</title>",
        ">CLOSED<",
        ">ERROR<",
        ">STOP<",
        ">slam<",
        ">look<",
        "class=\"e b\"",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
}

#[test]
fn random_systems_are_drawn_or_too_large() {
    let mut actions = ActionTable::new();
    let alphabet = names(&mut actions, "a b a_long_label c");
    for seed in 0..60 {
        let mut numbers = Random::new(seed);
        let states = 1 + numbers.below(60);
        let lts = random_system(&mut numbers, states, &alphabet, 6);
        check_svg(&svg::draw(&lts, &actions, "random").expect("it is small"));
    }
    let line: Vec<_> = (0..70).map(|state| (state, alphabet[0], state + 1)).collect();
    let refused = svg::draw(&system(71, &line, []), &actions, "line").expect_err("71 states");
    assert_eq!(refused.states, 71);
    assert!(refused.to_string().contains("DOT"));
}
