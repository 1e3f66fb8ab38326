//! FSP models of our own, in the manner of LTSA's users, and what they mean.

mod support;

use lariat_lts::{ActionTable, Lts, StateKind};
use support::*;

fn shape(lts: &Lts) -> (usize, usize) {
    (lts.state_count(), lts.transition_count())
}

fn alphabet(lts: &Lts, actions: &ActionTable) -> Vec<String> {
    let mut names: Vec<String> = lts.alphabet().iter().map(|action| actions.name(action)).collect();
    names.sort();
    names
}

#[test]
fn prefix_choice_and_local_processes() {
    let mut actions = ActionTable::new();
    let text = "
        /* A lamp with two brightnesses. */
        LAMP = OFF,
        OFF = (press -> DIM),
        DIM = (press -> BRIGHT | hold -> OFF),
        BRIGHT = (press -> OFF).
    ";
    let lamp = fsp(text, "LAMP", &mut actions);
    assert_eq!(shape(&lamp), (3, 4));
    assert_eq!(alphabet(&lamp, &actions), ["hold", "press"]);
    assert_eq!(lamp.name(lamp.initial()), Some("OFF"));
    assert!(traces(&lamp, &actions, 4).contains("press hold press press"));
}

#[test]
fn constants_ranges_guards_and_indices() {
    let mut actions = ActionTable::new();
    let text = "
        const SLOTS = 2 + 1
        range INDEX = 0..SLOTS
        range BIT = 0..1
        STORE = STORE[0],
        STORE[i:INDEX] = ( when (i < SLOTS) put -> STORE[i+1]
                         | when (i > 0) get -> STORE[i-1] ).
        CELL = (in[v:BIT] -> out[v] -> CELL).
        MATRIX = (at[x:BIT][y:0..2] -> when_set[x == y || y == 2 && !x] -> MATRIX).
    ";
    let store = fsp(text, "STORE", &mut actions);
    assert_eq!(shape(&store), (4, 6));
    assert_eq!(store.name(store.initial()), Some("STORE[0]"));
    let cell = fsp(text, "CELL", &mut actions);
    assert_eq!(alphabet(&cell, &actions), ["in.0", "in.1", "out.0", "out.1"]);
    assert_eq!(shape(&cell), (3, 4));
    assert!(!traces(&cell, &actions, 2).contains("in.0 out.1"));
    let matrix = fsp(text, "MATRIX", &mut actions);
    let found = traces(&matrix, &actions, 2);
    for trace in ["at.1.1 when_set.1", "at.0.2 when_set.1", "at.1.2 when_set.0"] {
        assert!(found.contains(trace), "{trace}");
    }
    assert!(!found.contains("at.1.2 when_set.1"));
}

#[test]
fn sets_labels_as_values_and_alphabet_extension() {
    let mut actions = ActionTable::new();
    let text = "
        set COINS = {penny, shilling}
        set NAMES = {COINS, note[1..2]}
        PURSE = (take[c:COINS] -> if c == 'penny then (small -> PURSE) else (large[#COINS] -> PURSE)) + {NAMES, spill}.
        ANY = ({left, right}.{up, down} -> ANY).
        USER = (COINS -> USER).
    ";
    let purse = fsp(text, "PURSE", &mut actions);
    assert_eq!(
        alphabet(&purse, &actions),
        [
            "large.2",
            "note.1",
            "note.2",
            "penny",
            "shilling",
            "small",
            "spill",
            "take.penny",
            "take.shilling"
        ]
    );
    let found = traces(&purse, &actions, 2);
    assert!(found.contains("take.penny small") && found.contains("take.shilling large.2"));
    assert!(!found.contains("take.penny large.2"));
    assert_eq!(shape(&fsp(text, "ANY", &mut actions)), (1, 4));
    assert_eq!(shape(&fsp(text, "USER", &mut actions)), (1, 2));
}

#[test]
fn alphabets_hold_the_actions_of_all_instances() {
    let mut actions = ActionTable::new();
    // B[2] cannot be reached, but a partner that says b.2 must wait for it forever.
    let text = "
        P = B[0], B[i:0..2] = (b[i] -> B[(i+1) % 2]).
        Q = (b[2] -> STOP).
        ||S = (P || Q).
    ";
    let process = fsp(text, "P", &mut actions);
    assert_eq!(shape(&process), (2, 2));
    assert_eq!(alphabet(&process, &actions), ["b.0", "b.1", "b.2"]);
    assert!(!traces(&fsp(text, "S", &mut actions), &actions, 3).contains("b.2"));
}

#[test]
fn parameters_labelling_sharing_and_relabelling() {
    let mut actions = ActionTable::new();
    let text = "
        const PLACES = 2
        LOCK(MAX=1) = FREE[MAX],
        FREE[n:0..MAX] = (when (n > 0) acquire -> FREE[n-1] | when (n < MAX) release -> FREE[n+1]).
        CLIENT = (lock.acquire -> use -> lock.release -> CLIENT).
        ||SHARED(N=PLACES, K=1) = (c[i:1..N]:CLIENT || {c[1..N].lock}::LOCK(K)).
        ||ROOMY = SHARED(2, 2).
        LINK = (in[x:0..1] -> out[x] -> LINK).
        ||CHAIN = (a:LINK || b:LINK) / {in/a.in, middle/{a.out, b.in}, out/b.out} @ {in, out}.
        ||CHAIN2 = (a:LINK / {mid/a.out} || b:LINK / {forall[x:0..1] {mid[x]/b.in[x]}}) \\ {mid}.
    ";
    let shared = fsp(text, "SHARED", &mut actions);
    // Both idle, or one of two holds the lock before or after use.
    assert_eq!(shared.state_count(), 5);
    assert!(!traces(&shared, &actions, 2).contains("c.1.lock.acquire c.2.lock.acquire"));
    let roomy = fsp(text, "ROOMY", &mut actions);
    assert_eq!(roomy.state_count(), 9);
    let chain = fsp(text, "CHAIN", &mut actions);
    assert_eq!(alphabet(&chain, &actions), ["in.0", "in.1", "out.0", "out.1"]);
    let found = traces(&chain, &actions, 3);
    assert!(found.contains("in.0 in.1 out.0") && !found.contains("in.0 in.1 out.1"));
    assert!(!found.contains("in.0 in.1 in.0"));
    let chain2 = fsp(text, "CHAIN2", &mut actions);
    assert_eq!(
        alphabet(&chain2, &actions),
        ["a.in.0", "a.in.1", "b.out.0", "b.out.1"]
    );
    assert_eq!(shape(&chain2), shape(&chain));
}

#[test]
fn conditions_and_forall_in_composites() {
    let mut actions = ActionTable::new();
    let text = "
        TICK = (tick -> TICK).
        ||CLOCKS(N=2) = (forall[i:1..N][j:{x,y}] clock[i][j]:TICK || if N > 1 then big:TICK else small:TICK).
        ||ONE = CLOCKS(1).
        ||NONE = forall[i:1..0] p[i]:TICK.
    ";
    let clocks = fsp(text, "CLOCKS", &mut actions);
    assert_eq!(
        alphabet(&clocks, &actions),
        [
            "big.tick",
            "clock.1.x.tick",
            "clock.1.y.tick",
            "clock.2.x.tick",
            "clock.2.y.tick"
        ]
    );
    assert!(alphabet(&fsp(text, "ONE", &mut actions), &actions).contains(&"small.tick".to_owned()));
    assert_eq!(shape(&fsp(text, "NONE", &mut actions)), (1, 0));
}

#[test]
fn sequential_composition_goes_on_after_end() {
    let mut actions = ActionTable::new();
    let text = "
        WORD(N=1) = W[0], W[i:0..N] = if i < N then (letter[i] -> W[i+1]) else END.
        SENTENCE = WORD(2);WORD(0);REST, REST = (stop -> SENTENCE | cut -> STOP | fail -> ERROR).
        SKIP = END.
        ONCE = (go -> SKIP;WORD;END).
    ";
    let sentence = fsp(text, "SENTENCE", &mut actions);
    let found = traces(&sentence, &actions, 4);
    assert!(found.contains("letter.0 letter.1 stop letter.0"));
    assert!(!found.contains("letter.0 stop"));
    assert_eq!(shape(&sentence), (5, 5));
    let once = fsp(text, "ONCE", &mut actions);
    assert_eq!(shape(&once), (3, 2));
    assert_eq!(
        once.states()
            .filter(|&state| once.kind(state) == StateKind::End)
            .count(),
        1
    );
}

#[test]
fn properties_lead_to_error() {
    let mut actions = ActionTable::new();
    let text = "
        property POLITE = (knock -> enter -> POLITE).
        GUEST = (knock -> enter -> GUEST).
        BURGLAR = (knock -> enter -> BURGLAR | enter -> steal -> BURGLAR).
        ||GOOD = (GUEST || POLITE). ||BAD = (BURGLAR || POLITE).
        property NEVER = STOP + {boom}.
    ";
    let polite = fsp(text, "POLITE", &mut actions);
    assert_eq!(shape(&polite), (3, 4));
    let error_states = |lts: &Lts| {
        lts.states()
            .filter(|&state| lts.kind(state) == StateKind::Error)
            .count()
    };
    assert_eq!(error_states(&polite), 1);
    assert_eq!(error_states(&fsp(text, "GOOD", &mut actions)), 0);
    assert_eq!(error_states(&fsp(text, "BAD", &mut actions)), 1);
    assert_eq!(shape(&fsp(text, "NEVER", &mut actions)), (2, 1));
}

#[test]
fn returns_are_actions_with_values() {
    let mut actions = ActionTable::new();
    let text = "
        const FAILED = -1
        SEND = (send -> (ok -> return{0} -> STOP | lost -> return{FAILED} -> STOP)).
        PICK = (pick[i:1..2] -> return{i} -> STOP).
        VOID = (return{} -> STOP).
        ||TWO = (a:SEND || b:VOID).
        QUIET = (work -> return{0} -> STOP) \\ {return{0}}.
    ";
    let send = fsp(text, "SEND", &mut actions);
    assert!(traces(&send, &actions, 3).contains("send lost return{-1}"));
    assert!(traces(&fsp(text, "PICK", &mut actions), &actions, 2).contains("pick.2 return{2}"));
    assert!(traces(&fsp(text, "VOID", &mut actions), &actions, 1).contains("return{}"));
    let two = fsp(text, "TWO", &mut actions);
    let prefixed = actions.find("a.return{0}").expect("interned");
    assert!(two.alphabet().contains(prefixed) && actions[prefixed].return_value().is_none());
    assert_eq!(alphabet(&fsp(text, "QUIET", &mut actions), &actions), ["work"]);
}

#[test]
fn deterministic_and_minimal() {
    let mut actions = ActionTable::new();
    let text = "
        LOOSE = (a -> b -> LOOSE | a -> c -> LOOSE).
        deterministic TIGHT = (a -> b -> TIGHT | a -> c -> TIGHT).
        minimal SMALL = A, A = (a -> B), B = (a -> A).
    ";
    assert_eq!(shape(&fsp(text, "LOOSE", &mut actions)), (3, 4));
    assert_eq!(shape(&fsp(text, "TIGHT", &mut actions)), (2, 3));
    assert_eq!(shape(&fsp(text, "SMALL", &mut actions)), (1, 1));
}

#[test]
fn a_commit_protocol_from_end_to_end() {
    let mut actions = ActionTable::new();
    let text = "
        // A coordinator asks n participants to vote and tells all of them the outcome.
        const N = 3
        PARTICIPANT = (ask -> (yes -> WAIT | no -> (abort -> END))),
        WAIT = (commit -> END | abort -> END).
        COORDINATOR = ASK[1],
        ASK[i:1..N] = (p[i].ask -> if i < N then ASK[i+1] else COLLECT[1][1]),
        COLLECT[i:1..N][good:0..1] =
            ( p[i].yes -> if i < N then COLLECT[i+1][good] else TELL[1][good]
            | p[i].no -> if i < N then COLLECT[i+1][0] else TELL[1][0] ),
        TELL[i:1..N][good:0..1] =
            if good then (p[i].commit -> if i < N then TELL[i+1][good] else END)
            else (p[i].abort -> if i < N then TELL[i+1][good] else END).
        ||SYSTEM = (COORDINATOR || p[1..N]:PARTICIPANT).
        property AGREE = (p[1..N].commit -> COMMITTED | p[1..N].abort -> ABORTED),
        COMMITTED = (p[1..N].commit -> COMMITTED),
        ABORTED = (p[1..N].abort -> ABORTED).
        SUBSET = (p[1..N].commit -> SUBSET).
    ";
    let system = fsp(text, "SYSTEM", &mut actions);
    let agree = fsp(text, "AGREE", &mut actions);
    assert!(included(&system, &agree).holds());
    let subset = fsp(text, "SUBSET", &mut actions).with_alphabet(agree.alphabet());
    let inclusion = included(&system, &subset);
    let violation = inclusion.violation().expect("it may abort");
    assert_eq!(violation.trace().len(), 3 + 3 + 1);
}

#[test]
fn an_index_out_of_range_is_an_error_state_with_a_warning() {
    let text = "
        const MAX = 2
        GATE = INSIDE[0],
        INSIDE[n:0..MAX] = (enter -> INSIDE[n+1] | leave -> INSIDE[n-1]).
        VISITOR = (enter -> leave -> VISITOR).
        ||ALONE = (GATE || VISITOR).
    ";
    let mut actions = ActionTable::new();
    let gate = fsp(text, "GATE", &mut actions);
    assert_eq!(shape(&gate), (4, 6));
    assert!(gate.states().any(|state| gate.kind(state) == StateKind::Error));
    let alone = fsp(text, "ALONE", &mut actions);
    assert_eq!(shape(&alone), (2, 2));
    let mut sources = lariat_base::SourceMap::new();
    let source = sources.add("gate.lts", text);
    let (model, _) = lariat_lts::fsp::parse(source, text);
    let budget = lariat_base::Budget::unlimited();
    let mut compiler = lariat_lts::fsp::Compiler::new(&model, &mut actions, &budget, 100);
    assert!(compiler.compile("ALONE", &[]).is_ok());
    let warnings: Vec<String> = compiler
        .warnings()
        .iter()
        .map(|warning| warning.render(&sources, false))
        .collect();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(
        warnings[0].contains("gate.lts:4:61") && warnings[0].contains("`when`"),
        "{}",
        warnings[0]
    );
}
