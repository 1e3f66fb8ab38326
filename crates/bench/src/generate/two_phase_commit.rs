//! Two-phase commit: a coordinator and participants, all of whom run the same C file, as a project of `lariat conform`.

use std::io::{self, Write};
use std::path::Path;

/// The questions of the project: process, macros of a broken variant, expected answer.
const QUESTIONS: &[(&str, &[&str], &str)] = &[
    ("ATOMIC", &[], "conforms"),
    ("AGREEMENT", &[], "conforms"),
    ("VOTES", &[], "conforms"),
    ("LOGGED", &[], "conforms"),
    ("LOCKED", &[], "conforms"),
    ("REDO", &[], "conforms"),
    ("ALWAYS_COMMITS", &[], "violates"),
    ("IN_ORDER", &[], "violates"),
    ("ATOMIC", &["LAST_VOTE_WINS"], "violates"),
    ("AGREEMENT", &["IMPATIENT"], "violates"),
    ("LOGGED", &["HASTY"], "violates"),
    ("REDO", &["UNLOGGED"], "violates"),
];

/// The processes that depend on the number of participants only through `N`.
const PROCESSES: &str = "\
range Id = 0..N - 1

// The participants; `me` is one of p[0] to p[N - 1].
RECEIVE_PREPARE = (me.prepare -> return{1} -> STOP | return{0} -> STOP).
ACQUIRE_LOCKS = (me.lock -> return{1} -> STOP | return{0} -> STOP).
RELEASE_LOCKS = (me.unlock -> return{} -> STOP).
WRITE_REDO = (me.redo -> return{1} -> STOP | return{0} -> STOP).
SEND_YES = (me.yes -> return{} -> STOP).
SEND_NO = (me.no -> return{} -> STOP).
RECEIVE_DECISION = (me.commit -> return{1} -> STOP | me.abort -> return{2} -> STOP | return{0} -> STOP).
MAKE_PERMANENT = (me.committed -> return{} -> STOP).
UNDO = (me.aborted -> return{} -> STOP).
SEND_ACKNOWLEDGEMENT = (me.acknowledge -> return{} -> STOP).

// The coordinator.
LOG_COMMIT = (log_commit -> return{} -> STOP).
LOG_ABORT = (log_abort -> return{} -> STOP).
NOBODY = (return{} -> STOP).

// Nobody commits if anybody has voted no.
ATOMIC = (p[Id].no -> ABORTED | p[Id].committed -> COMMITTED),
ABORTED = (p[Id].no -> ABORTED),
COMMITTED = (p[Id].committed -> COMMITTED).

// All commit or all abort.
AGREEMENT = (p[Id].committed -> COMMITTED | p[Id].aborted -> ABORTED),
COMMITTED = (p[Id].committed -> COMMITTED),
ABORTED = (p[Id].aborted -> ABORTED).

// Nobody commits before all have voted yes.
VOTES = YES[0],
YES[k:0..N] = (when (k < N) p[Id].yes -> YES[k + 1] | when (k == N) p[Id].committed -> YES[k]).

// The decision is in the log before anybody is told.
LOGGED = (log_commit -> COMMIT | log_abort -> ABORT),
COMMIT = (p[Id].commit -> COMMIT),
ABORT = (p[Id].abort -> ABORT).

// A participant releases what it has locked, and votes yes only if it can redo its work.
LOCKED = (p[0].lock -> p[0].unlock -> STOP).
REDO = (p[0].redo -> p[0].yes -> STOP).

// These are not so.
ALWAYS_COMMITS = (p[Id].committed -> ALWAYS_COMMITS) + {p[Id].aborted}.
IN_ORDER = (p[0].committed -> p[1].committed -> STOP).
";

/// Writes the project for `participants` (at least 2) with the C files of `folder`.
pub fn write_two_phase_commit(participants: u32, folder: &Path, output: &mut dyn Write) -> io::Result<()> {
    let participants = participants.max(2);
    writeln!(output, "# Two-phase commit with {participants} participants.\n")?;
    let mut fsp = format!("const N = {participants}\n{PROCESSES}\n");
    for id in 0..participants {
        fsp += &format!(
            "SEND_PREPARE_{id} = (p[{id}].prepare -> return{{}} -> STOP).\n\
             RECEIVE_VOTE_{id} = (p[{id}].yes -> return{{1}} -> STOP | p[{id}].no -> return{{0}} -> STOP | return{{2}} -> STOP).\n\
             SEND_COMMIT_{id} = (p[{id}].commit -> return{{}} -> STOP).\n\
             SEND_ABORT_{id} = (p[{id}].abort -> return{{}} -> STOP).\n\
             RECEIVE_ACKNOWLEDGEMENT_{id} = (p[{id}].acknowledge -> return{{}} -> STOP).\n"
        );
    }
    for (index, (process, macros, expect)) in QUESTIONS.iter().enumerate() {
        writeln!(output, "[[specification]]")?;
        if let [first, ..] = macros {
            writeln!(
                output,
                "name = \"{process} with {first}\"\nmacros = [\"{first}\"]"
            )?;
        }
        // The others have the processes of the one before them.
        if index == 0 {
            writeln!(output, "fsp = '''\n{fsp}'''")?;
        }
        writeln!(output, "process = \"{process}\"\nexpect = \"{expect}\"\n")?;
    }
    let file = |name: &str| folder.join(name).display().to_string();
    writeln!(
        output,
        "[[component]]\nname = \"coordinator\"\nfile = '{}'\nprocedure = \"coordinate\"\nmacros = [\"PARTICIPANTS={participants}\"]\n",
        file("coordinator.c")
    )?;
    for id in 0..participants {
        writeln!(
            output,
            "[[component]]\nname = \"participant {id}\"\nfile = '{}'\nprocedure = \"participate\"\nrelabel = {{ me = \"p.{id}\" }}\n",
            file("participant.c")
        )?;
    }
    for (routine, parameter, processes) in [
        ("send_prepare", "[\"id\"]", &[("", "SEND_PREPARE")][..]),
        ("receive_vote", "[\"id\"]", &[("", "RECEIVE_VOTE")]),
        (
            "send_decision",
            "[\"id\", \"decision\"]",
            &[
                (" && decision != 0", "SEND_COMMIT"),
                (" && decision == 0", "SEND_ABORT"),
            ],
        ),
        (
            "receive_acknowledgement",
            "[\"id\"]",
            &[("", "RECEIVE_ACKNOWLEDGEMENT")],
        ),
    ] {
        writeln!(
            output,
            "[[routine]]\nname = \"{routine}\"\nparameters = {parameter}\nalternatives = ["
        )?;
        for id in 0..participants {
            for (condition, process) in processes {
                writeln!(
                    output,
                    "    {{ guard = \"id == {id}{condition}\", process = \"{process}_{id}\" }},"
                )?;
            }
        }
        writeln!(
            output,
            "    {{ guard = \"id < 0 || id >= {participants}\", process = \"NOBODY\" }},\n]\n"
        )?;
    }
    writeln!(
        output,
        "[[routine]]\nname = \"write_log\"\nparameters = [\"decision\"]\nalternatives = [\n    \
         {{ guard = \"decision != 0\", process = \"LOG_COMMIT\" }},\n    \
         {{ guard = \"decision == 0\", process = \"LOG_ABORT\" }},\n]"
    )?;
    for routine in [
        "receive_prepare",
        "acquire_locks",
        "release_locks",
        "write_redo",
        "send_yes",
        "send_no",
        "receive_decision",
        "make_permanent",
        "undo",
        "send_acknowledgement",
    ] {
        let process = routine.to_uppercase();
        writeln!(
            output,
            "\n[[routine]]\nname = \"{routine}\"\nprocess = \"{process}\""
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use lariat_base::{Diagnostics, SourceMap};
    use lariat_conform::project::Project;

    use super::*;

    fn generated(participants: u32) -> String {
        let mut bytes = Vec::new();
        write_two_phase_commit(participants, Path::new(""), &mut bytes).expect("written");
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn projects_are_well_formed() {
        for participants in [2, 5, 8] {
            let text = generated(participants);
            let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
            let source = sources.add("generated.conform", text.clone());
            let project = Project::parse(source, &text, &mut diagnostics);
            assert!(diagnostics.is_empty(), "{participants}");
            assert_eq!(project.components.len(), participants as usize + 1);
            assert_eq!(project.specifications.len(), QUESTIONS.len());
        }
    }

    /// The projects in the repository were made by `lariat bench --generate two-phase-commit N`.
    #[test]
    fn examples_are_up_to_date() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/conform/two-phase-commit");
        for participants in 2..=8 {
            let path = folder.join(format!("two-phase-commit-{participants}.conform"));
            let text = std::fs::read_to_string(&path).expect("a project");
            assert_eq!(text, generated(participants), "{}", path.display());
        }
    }
}
