//! The pages of `--report` in a browser: stepping, folding, decisions, large programs, hostile names.
//!
//! Without a browser the tests say so and pass, unless `LARIAT_NEEDS_BROWSER` is set.

#[path = "common/browser.rs"]
mod browser;
#[allow(dead_code, reason = "each test uses a part")]
mod common;

use std::path::{Path, PathBuf};

use browser::Browser;
use common::{Sandbox, stderr};

const COUNTER: &str = "document.querySelector('#explorer output').textContent";
const LIT: &str = "Number(document.querySelector('.line.lit')?.dataset.line)";
const VALUES: &str = "document.querySelector('.values-box').innerText";
const ROWS: &str = "document.querySelectorAll('.step').length";

/// Runs a command that writes a page.
fn page(sandbox: &Sandbox, arguments: &[&str], name: &str) -> PathBuf {
    let mut arguments = arguments.to_vec();
    arguments.extend(["--report", name]);
    let output = sandbox.run(&arguments);
    assert!(
        matches!(output.status.code(), Some(0 | 1)),
        "{arguments:?}: {}",
        stderr(&output)
    );
    sandbox.path().join(name)
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

#[test]
fn an_execution_can_be_stepped_through_and_folded() {
    let sandbox = Sandbox::new("pages-steps");
    let Some(mut browser) = Browser::start(&sandbox.path().join("profile")) else {
        return;
    };
    let program = examples().join("greeting.c");
    let arguments = ["verify", "--check", "memory", program.to_str().expect("a path")];
    let page = page(&sandbox, &arguments, "page.html");
    for (width, dark) in [(1400, false), (1400, true), (480, false), (480, true)] {
        browser.open(&page, width, dark);
        let count = browser.value(COUNTER).as_str().expect("a text").to_owned();
        let steps: u64 = count
            .rsplit(' ')
            .next()
            .expect("a word")
            .parse()
            .expect("a number");
        assert!(steps > 20 && count.starts_with(&format!("{steps} /")), "{count}");
        assert_eq!(browser.value(LIT), 19, "the last step is lit");
        browser.assert_nothing_sticks_out();
        let background = browser.value("getComputedStyle(document.body).backgroundColor");
        assert_eq!(background == "rgb(20, 23, 26)", dark, "{background}");

        browser.press("Home");
        assert!(
            browser
                .value(COUNTER)
                .as_str()
                .expect("a text")
                .starts_with("1 /")
        );
        assert_eq!(browser.value(LIT), 23);
        let (mut lines, mut values) = (Vec::new(), Vec::new());
        for _ in 1..steps {
            browser.press("ArrowRight");
            lines.push(browser.value(LIT));
            values.push(browser.value(VALUES).as_str().expect("a text").to_owned());
        }
        lines.dedup();
        assert!(lines.len() > 10, "{lines:?}");
        assert!(values.iter().any(|text| text.contains("i\t2")), "{values:?}");
        assert!(
            values.iter().any(|text| text.contains("message->length\t1")),
            "{values:?}"
        );
        assert!(
            browser
                .value("document.querySelectorAll('.chip.no').length")
                .as_u64()
                > Some(0)
        );

        // The model of `malloc` is folded, what the user wrote is not.
        browser.press("Home");
        let folded = "[...document.querySelectorAll('.step[aria-expanded=false] .text')].map(e => e.textContent).join()";
        assert_eq!(browser.value(folded), "malloc(SIZE)");
        let before = browser.value(ROWS).as_u64();
        browser.value("[...document.querySelectorAll('.tabs button')].find(b => b.textContent === 'fold all').click(); 1");
        assert!(browser.value(ROWS).as_u64() < before);
        browser.value("document.querySelector('.step .fold.can').click(); 1");
        assert_eq!(
            browser.value("document.querySelector('.step .fold.can').textContent"),
            "▾"
        );

        // The slider.
        browser.value("{ const s = document.querySelector('#explorer input[type=range]'); s.value = 3; s.dispatchEvent(new Event('input')); } 1");
        assert!(
            browser
                .value(COUNTER)
                .as_str()
                .expect("a text")
                .starts_with("3 /")
        );
    }
    browser.assert_no_errors();
}

#[test]
fn names_and_texts_of_the_user_stay_text() {
    let sandbox = Sandbox::new("pages-hostile");
    let Some(mut browser) = Browser::start(&sandbox.path().join("profile")) else {
        return;
    };
    let name = "a <img src=x onerror=hacked=1> &amp; b.bpl";
    sandbox.write(
        name,
        "// </script><script>hacked = 1</script><!-- <img src=x onerror='hacked=1'>\n\
         procedure main(x: int) {\n  assert {:msg \"<img src=x onerror='hacked=1'></script>\"} x != 7;\n}\n",
    );
    let page = page(&sandbox, &["verify", name], "page.html");
    browser.open(&page, 1200, false);
    assert_eq!(browser.value("typeof hacked"), "undefined");
    assert_eq!(browser.value("document.images.length"), 0);
    let shown = browser.value("document.querySelector('.source-pane').innerText");
    let shown = shown.as_str().expect("a text");
    assert!(
        shown.contains("</script><script>hacked = 1</script><!--"),
        "{shown}"
    );
    assert!(shown.contains(name), "{shown}");
    browser.assert_no_errors();
}

#[test]
fn long_names_and_paths_do_not_stick_out() {
    let sandbox = Sandbox::new("pages-long");
    let Some(mut browser) = Browser::start(&sandbox.path().join("profile")) else {
        return;
    };
    let folder = "a_folder_whose_name_has_no_place_to_break_".repeat(4);
    for (command, name) in [("verify", "greeting.c"), ("angelic", "registry.c")] {
        let program = std::fs::read_to_string(examples().join(name)).expect("an example");
        let program = program.replace("message", &"message_with_a_long_name_".repeat(8));
        let path = format!("{folder}/{name}");
        sandbox.write(&path, program);
        let page = page(&sandbox, &[command, "--check", "memory", &path], "page.html");
        for width in [1400, 480] {
            browser.open(&page, width, false);
            browser.assert_nothing_sticks_out();
        }
    }
    browser.assert_no_errors();
}

#[test]
fn a_success_shows_which_lines_were_reached() {
    let sandbox = Sandbox::new("pages-coverage");
    let Some(mut browser) = Browser::start(&sandbox.path().join("profile")) else {
        return;
    };
    sandbox.write(
        "success.c",
        "#include <assert.h>\nint main(int n, char **v)\n{\n    if (n > 3)\n        n = 3;\n    \
         assert(n <= 3);\n    if (n > 5)\n        assert(n == 7);\n    return 0;\n}\n",
    );
    let page = page(&sandbox, &["verify", "success.c"], "page.html");
    let lines = |kind: &str| {
        format!("[...document.querySelectorAll('.line.{kind}')].map(line => line.dataset.line).join()")
    };
    for (width, dark) in [(1400, false), (480, true)] {
        browser.open(&page, width, dark);
        assert_eq!(browser.value(&lines("good")), "2,4,5,6,7,9");
        assert_eq!(browser.value(&lines("bad")), "8", "no execution gets there");
        let known = browser.value("document.querySelector('.line.bad .known').textContent");
        assert!(
            known.as_str().is_some_and(|text| text.starts_with("dead")),
            "{known}"
        );
        // The file is shown once.
        assert_eq!(
            browser.value("document.querySelectorAll('table.listing').length"),
            0
        );
        browser.assert_nothing_sticks_out();
    }
    browser.assert_no_errors();
}

#[test]
fn each_thread_has_a_lane_and_its_own_calls_and_values() {
    let sandbox = Sandbox::new("pages-threads");
    let Some(mut browser) = Browser::start(&sandbox.path().join("profile")) else {
        return;
    };
    sandbox.write(
        "threads.c",
        "#include <assert.h>\n#include <pthread.h>\nint total;\nstatic void add(int amount)\n{\n    int old = total;\n    \
         total = old + amount;\n}\nstatic void *worker(void *given)\n{\n    add(*(int *)given);\n    return 0;\n}\n\
         int main(void)\n{\n    pthread_t first, second;\n    int one = 1, two = 2;\n    \
         pthread_create(&first, 0, worker, &one);\n    pthread_create(&second, 0, worker, &two);\n    \
         pthread_join(first, 0);\n    pthread_join(second, 0);\n    assert(total == 3);\n    return 0;\n}\n",
    );
    let page = page(&sandbox, &["verify", "threads.c"], "page.html");
    for (width, dark) in [(1400, false), (480, true)] {
        browser.open(&page, width, dark);
        let heads = browser
            .value("[...document.querySelectorAll('.lane-heads span')].map(e => e.textContent).join()");
        assert_eq!(heads, "thread 1,thread 2,thread 3");
        // Only rows that can be seen are in the page, so the whole tree is scrolled through. A step stands in the column of its thread.
        browser.value(
            "window.scan = (visit) => {
                const box = document.querySelector('.tree-pane .scroll');
                for (let top = 0; top < box.scrollHeight; top += 100) {
                    box.scrollTop = top;
                    box.dispatchEvent(new Event('scroll'));
                    for (const step of document.querySelectorAll('.step')) {
                        if (visit(Number(step.dataset.thread), step.querySelector('.text').textContent, step)) return true;
                    }
                }
                return false;
            }; 1",
        );
        let outside = "scan((thread, text, step) => {
            const lane = document.querySelectorAll('.lane-heads span')[thread - 1].getBoundingClientRect();
            const shown = step.querySelector('.text').getBoundingClientRect();
            return shown.left < lane.left || shown.right > lane.right + 1; })";
        assert_eq!(browser.value(outside), false);
        assert_eq!(
            browser.value("scan((thread, text) => text.includes('— thread'))"),
            false
        );
        let has = |thread: u32, text: &str| {
            format!("scan((thread, text) => thread === {thread} && text === '{text}')")
        };
        for thread in [2, 3] {
            for text in ["int old = total", "total = old + amount"] {
                assert_eq!(browser.value(&has(thread, text)), true, "{text} of {thread}");
            }
        }
        assert_eq!(browser.value(&has(1, "assert(total == 3)")), true);
        // Both threads have a variable `old` of their own.
        let choose = "scan((thread, text, step) => thread === 3 && text === 'int old = total' && (step.click(), true))";
        assert_eq!(browser.value(choose), true);
        let boxes = browser
            .value("[...document.querySelectorAll('.values-box summary')].map(e => e.textContent).join('|')");
        let boxes = boxes.as_str().expect("a text");
        assert!(boxes.contains("thread 3: add("), "{boxes}");
        // Folding a call of one thread leaves the steps of the others.
        let fold = "scan((thread, text, step) => thread === 2 && text.startsWith('add(') && (step.querySelector('.fold').click(), true))";
        assert_eq!(browser.value(fold), true);
        assert_eq!(browser.value(&has(2, "int old = total")), false);
        assert_eq!(browser.value(&has(3, "int old = total")), true);
        browser.assert_nothing_sticks_out();
    }
    browser.assert_no_errors();
}

#[test]
fn a_program_of_100_000_lines_opens_at_once() {
    let sandbox = Sandbox::new("pages-large");
    let mut program = String::from("int main(void) {\n  int x = 0;\n");
    for line in 0..100_000 {
        program.push_str(&format!("  /* line {line} of a long program */ (void)x;\n"));
    }
    program.push_str("  int *p = 0;\n  return *p;\n}\n");
    sandbox.write("large.c", program);
    let page = page(&sandbox, &["verify", "--engine", "dag", "large.c"], "page.html");
    let size = std::fs::metadata(&page).expect("a page").len();
    assert!(size < 10_000_000, "{size} bytes");
    let Some(mut browser) = Browser::start(&sandbox.path().join("profile")) else {
        return;
    };
    browser.open(&page, 1400, false);
    // Processor time, which says the same on a loaded machine; alone, the page opens in 0.4 s.
    let time = browser.processor_time();
    assert!(time < 2.0, "{time} s");
    assert_eq!(browser.value(LIT), 100_004);
    // Only what can be seen is in the page.
    assert!(browser.value("document.querySelectorAll('*').length").as_u64() < Some(3000));
    browser.press("Home");
    assert_eq!(browser.value(LIT), 1);
    browser.assert_no_errors();
}

#[test]
fn decisions_about_specifications_are_written_into_the_file() {
    let sandbox = Sandbox::new("pages-specs");
    let Some(mut browser) = Browser::start(&sandbox.path().join("profile")) else {
        return;
    };
    let program = std::fs::read(examples().join("registry.c")).expect("an example");
    sandbox.write("registry.c", program);
    let arguments = ["angelic", "--no-cache", "registry.c"];
    let page = page(&sandbox, &arguments, "page.html");
    browser.open(&page, 480, true);
    browser.assert_nothing_sticks_out();
    browser.open(&page, 1400, false);
    let text = "document.getElementById('specs-text').value";
    let before = browser.value(text);
    let written = std::fs::read_to_string(sandbox.path().join("registry.specs.toml")).expect("a file");
    assert_eq!(before, written.as_str());
    let press = |entry: &str, spec: &str, word: &str| {
        format!(
            "[...document.querySelectorAll('[data-spec]')].find(li => li.closest('ul').previousElementSibling.textContent === '{entry}' \
             && li.querySelector('input').defaultValue === '{spec}').querySelector('[data-status={word}]').click(); 1"
        )
    };
    browser.value(&press("attach", "driver_for() != NULL", "rejected"));
    browser.value(&press("probe", "device != NULL", "accepted"));
    let after = browser.value(text);
    let after = after.as_str().expect("a text");
    assert_eq!(after.matches("status = \"accepted\"").count(), 1, "{after}");
    assert_eq!(after.matches("status = \"rejected\"").count(), 1, "{after}");
    // Clicking a place shows it.
    browser.value("document.querySelector('[data-spec] [data-place]').click(); 1");
    browser.assert_no_errors();
    // The next run obeys the file: what was rejected is a warning.
    sandbox.write("registry.specs.toml", after);
    let output = sandbox.run(&arguments);
    let text = common::stdout(&output);
    assert!(text.contains("2 warnings"), "{text}");
    assert!(text.contains("[accepted]"), "{text}");
}

#[test]
fn a_protocol_has_its_chart_its_sources_and_its_drawings() {
    let sandbox = Sandbox::new("pages-conform");
    let Some(mut browser) = Browser::start(&sandbox.path().join("profile")) else {
        return;
    };
    let project = examples().join("conform/locks/unlock.conform");
    let page = page(
        &sandbox,
        &["conform", project.to_str().expect("a path")],
        "page.html",
    );
    browser.open(&page, 480, false);
    browser.assert_nothing_sticks_out();
    browser.open(&page, 1100, true);
    browser.assert_nothing_sticks_out();
    assert!(
        browser
            .value("document.querySelectorAll('svg.chart').length")
            .as_u64()
            > Some(0)
    );
    assert!(browser.value("document.images.length").as_u64() > Some(2));
    assert_eq!(
        browser.value("[...document.images].every(i => i.naturalWidth > 50)"),
        true
    );
    assert!(
        browser
            .value("document.querySelectorAll('#explorer .bar select option').length")
            .as_u64()
            > Some(1)
    );
    let first = browser.value(COUNTER);
    browser.value(
        "{ const s = document.querySelector('#explorer .bar select'); s.value = s.options.length - 1; \
         s.dispatchEvent(new Event('change')); } 1",
    );
    assert_ne!(browser.value(COUNTER), first);
    browser.assert_no_errors();
}
