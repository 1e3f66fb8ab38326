//! Small protocols of many components, with answers that are known by reasoning.

#[path = "common/project.rs"]
mod project;

use lariat_base::Budget;
use lariat_report::{ConformReport, ConformRequest, TraceKind, TraceLine, Verdict};
use project::{Files, rendered};

fn routines(all: &[(&str, &str)]) -> String {
    all.iter()
        .map(|(name, process)| format!("[[routine]]\nname = \"{name}\"\nprocess = \"{process}\"\n"))
        .collect()
}

fn verdicts(report: &ConformReport) -> Vec<(&str, bool)> {
    let parts = report.specifications.iter();
    parts
        .map(|part| match &part.verdict {
            Verdict::Proved => (part.specification.as_str(), true),
            Verdict::Bug => (part.specification.as_str(), false),
            other => panic!("{}: {other:?}\n{}", part.specification, rendered(report)),
        })
        .collect()
}

/// A token ring in which each node works on its own until the token comes: 3^16 states and more at once.
#[test]
fn a_ring_of_sixteen() {
    let count = 16;
    let c = "
        void take(void); void pass(void); void enter(void); void leave(void); void work(void); int wants(void);
        int node(void) {
            int has = 0, rounds = 0;
        #ifdef FIRST
            has = 1;
        #endif
            for (;;) {
                if (!has) { work(); take(); has = 1; }
                if (wants()) {
                    enter();
        #ifdef GREEDY
                    pass(); leave(); has = 0; continue;
        #else
                    leave();
        #endif
                }
                pass(); has = 0; rounds++;
            }
        }";
    let nodes: String = (0..count)
        .map(|node| {
            let first = if node == 0 { "macros = [\"FIRST\"]\n" } else { "" };
            format!(
                "[[component]]\nname = \"n{node}\"\nfile = \"ring.c\"\nprocedure = \"node\"\n{first}relabel = {{ in = \"t{node}\", out = \"t{}\", me = \"w.{node}\" }}\n",
                (node + 1) % count
            )
        })
        .collect();
    let routines = routines(&[
        ("take", "TAKE"),
        ("pass", "PASS"),
        ("enter", "ENTER"),
        ("leave", "LEAVE"),
        ("work", "WORK"),
        ("wants", "CHOOSE"),
    ]);
    let project = format!(
        "[[specification]]
process = \"MUTEX\"
fsp = '''
TAKE = (in.token -> return{{}} -> STOP).
PASS = (out.token -> return{{}} -> STOP).
ENTER = (me.enter -> return{{}} -> STOP).
LEAVE = (me.leave -> return{{}} -> STOP).
WORK = (me.work -> return{{}} -> STOP).
CHOOSE = (return{{0}} -> STOP | return{{1}} -> STOP).
MUTEX = (w[i:0..{last}].enter -> w[i].leave -> MUTEX).
ORDER = (w[0].enter -> w[0].leave -> w[1].enter -> w[1].leave -> ORDER).
'''
[[specification]]
process = \"ORDER\"
[[specification]]
name = \"GREEDY\"
macros = [\"GREEDY\"]
process = \"MUTEX\"
{nodes}{routines}",
        last = count - 1
    );
    let report = Files::new(&[("ring.c", c), ("ring.conform", &project)]).run("ring.conform");
    let expected = [("MUTEX", true), ("ORDER", false), ("GREEDY", false)];
    assert_eq!(verdicts(&report), expected, "{}", rendered(&report));
    // The first enters and passes the token on; the second takes it and enters before the first has left.
    let greedy = report.specifications[2].violation.as_ref().expect("a violation");
    let is_seen = |action: &&str| !action.ends_with(".work");
    let steps: Vec<&str> = greedy
        .steps
        .iter()
        .map(|step| step.action.as_str())
        .filter(is_seen)
        .collect();
    assert_eq!(steps, ["w.0.enter", "t1.token", "w.1.enter"]);
}

/// Routines that are called like functions of the C library are the project's: no model stands for them.
#[test]
fn an_election_with_send_and_recv() {
    let c = "
        void send(int v); int recv(void); void lead(void);
        int node(void) {
            int v, sent = 0;
            if (ID == 1) { send(ID); sent = 1; }
            for (;;) {
                v = recv();
                if (v == ID) { lead(); return 1; }
                if (v > ID) send(v);
                else if (!sent) { send(ID); sent = 1; }
            }
        }";
    let ids = [3, 1, 4, 2];
    let nodes: String = (0..4)
        .map(|node| {
            format!(
                "[[component]]\nname = \"n{node}\"\nfile = \"elect.c\"\nprocedure = \"node\"\nmacros = [\"ID={}\"]\nrelabel = {{ in = \"c{node}\", out = \"c{}\", me = \"n.{node}\" }}\n",
                ids[node],
                (node + 1) % 4
            )
        })
        .collect();
    let project = format!(
        "[[specification]]
process = \"LARGEST\"
fsp = '''
SEND(V=0) = (out[V] -> return{{}} -> STOP).
RECV = (in[v:0..4] -> return{{v}} -> STOP).
LEAD = (me.leader -> return{{}} -> STOP).
NOTHING = (return{{}} -> STOP).
LARGEST = (n[2].leader -> STOP) + {{n[0..3].leader}}.
SMALLEST = (n[1].leader -> STOP) + {{n[0..3].leader}}.
assert SOMEBODY = <> {{n[0..3].leader}}
'''
[[specification]]
process = \"SMALLEST\"
[[specification]]
assert = \"SOMEBODY\"
{nodes}
[[routine]]
name = \"send\"
parameters = [\"v:0..4\"]
process = \"SEND(v)\"
otherwise = \"NOTHING\"
[[routine]]
name = \"recv\"
process = \"RECV\"
[[routine]]
name = \"lead\"
process = \"LEAD\"
"
    );
    let report = Files::new(&[("elect.c", c), ("elect.conform", &project)]).run("elect.conform");
    let expected = [("LARGEST", true), ("SMALLEST", false), ("SOMEBODY", true)];
    assert_eq!(verdicts(&report), expected, "{}", rendered(&report));
}

/// Philosophers who all take the left fork first can get stuck; if one is left-handed they cannot. What a component waits
/// for is marked at the end of its trace, and nothing else is.
#[test]
fn philosophers() {
    let c = "
        void lget(void); void rget(void); void lput(void); void rput(void); void eat(void); void use(void);
        int right_handed(void) { for (;;) { lget(); rget(); eat(); lput(); rput(); } }
        int left_handed(void) { for (;;) { rget(); lget(); eat(); lput(); rput(); } }
        int fork_(void) { for (;;) use(); }";
    for first in ["right_handed", "left_handed"] {
        let all: String = (0..3)
            .map(|number| {
                let procedure = if number == 0 { first } else { "right_handed" };
                format!(
                    "[[component]]\nname = \"p{number}\"\nfile = \"p.c\"\nprocedure = \"{procedure}\"\nrelabel = {{ me = \"p.{number}\", l = \"f{number}.l\", r = \"f{}.r\" }}\n[[component]]\nname = \"f{number}\"\nfile = \"p.c\"\nprocedure = \"fork_\"\nrelabel = {{ x = \"f{number}.l\", y = \"f{number}.r\" }}\n",
                    (number + 1) % 3
                )
            })
            .collect();
        let routines = routines(&[
            ("lget", "LGET"),
            ("rget", "RGET"),
            ("lput", "LPUT"),
            ("rput", "RPUT"),
            ("eat", "EAT"),
            ("use", "USE"),
        ]);
        let project = format!(
            "[[specification]]
process = \"ANY\"
fsp = '''
LGET = (l.get -> return{{}} -> STOP).
RGET = (r.get -> return{{}} -> STOP).
LPUT = (l.put -> return{{}} -> STOP).
RPUT = (r.put -> return{{}} -> STOP).
EAT = (me.eat -> return{{}} -> STOP).
USE = (x.get -> x.put -> return{{}} -> STOP | y.get -> y.put -> return{{}} -> STOP).
ANY = (p[0..2].eat -> ANY).
'''
{all}{routines}"
        );
        let files = Files::new(&[("p.c", c), ("p.conform", &project)]);
        let request = ConformRequest {
            deadlock_free: true,
            ..files.request("p.conform")
        };
        let report = files.run_request(&request, &Budget::unlimited());
        let is_free = first == "left_handed";
        assert_eq!(verdicts(&report)[1].1, is_free, "{}", rendered(&report));
        if !is_free {
            let violation = report.specifications[1].violation.as_ref().expect("a violation");
            for run in &violation.runs {
                let is_wrong = |line: &TraceLine| line.kind == TraceKind::Failure;
                let wrong: Vec<&str> = run
                    .trace
                    .iter()
                    .filter(|line| is_wrong(line))
                    .map(|line| line.text.as_str())
                    .collect();
                assert_eq!(wrong.len(), 1, "{:?}", run.trace);
                assert!(wrong[0].starts_with("waits for "), "{wrong:?}");
                assert!(run.trace.last().is_some_and(is_wrong));
            }
        }
    }
}

/// The rounds of a loop that a constant bounds are told apart without predicates; the trace shows them all.
#[test]
fn the_sum_of_an_array() {
    let c = "
        void right(void); void wrong(void);
        int constant(void) { int t[3] = {1, 2, 3}; int s = 0; for (int i = 0; i < 3; i++) s += t[i]; if (s == 6) right(); else wrong(); return s; }
        int early(void) { int i; for (i = 0; i < 90; i++) { if (i == 70) break; } if (i == 70) right(); else wrong(); return 0; }
        int both(int n) { int t[2][3], s = 0; for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) t[i][j] = i * 3 + j;
            for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) s += t[i][j]; if (s == 15) right(); else wrong(); return n; }
        int many(void) { int i, s = 0; for (i = 0; i < 200; i++) s = 1; if (s == 1) right(); else wrong(); return 0; }
        int wraps(void) { unsigned char i = 250; int n = 0; while (i >= 250) { i++; n++; } if (n == 6) right(); else wrong(); return 0; }
        int unequal(void) { int t[3] = {1, 2, 4}; int s = 0; for (int i = 0; i < 3; i++) s += t[i]; if (s == 6) right(); else wrong(); return s; }";
    for (procedure, is_right) in [
        ("constant", true),
        ("early", true),
        ("both", true),
        ("many", true),
        ("wraps", true),
        ("unequal", false),
    ] {
        let routines = routines(&[("right", "RIGHT"), ("wrong", "WRONG")]);
        let project = format!(
            "[[specification]]
process = \"NEVER\"
fsp = '''
RIGHT = (right -> return{{}} -> STOP).
WRONG = (wrong -> return{{}} -> STOP).
NEVER = (right -> NEVER) + {{wrong}}.
'''
[[component]]
file = \"sum.c\"
procedure = \"{procedure}\"
{routines}"
        );
        let report = Files::new(&[("sum.c", c), ("sum.conform", &project)]).run("sum.conform");
        assert_eq!(
            verdicts(&report),
            [("NEVER", is_right)],
            "{procedure}: {}",
            rendered(&report)
        );
        if let Some(violation) = &report.specifications[0].violation {
            let rounds = violation.runs[0]
                .trace
                .iter()
                .filter(|line| line.text == "i < 3 is true");
            assert_eq!(rounds.count(), 3, "{:?}", violation.runs[0].trace);
        }
    }
}
