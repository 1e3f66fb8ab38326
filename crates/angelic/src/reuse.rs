//! Results of an earlier run, for entries whose fingerprints are the same.
//!
//! The code that such an entry reaches is the same but may have moved: places are moved with the procedures they are in.

use lariat_report::{
    AngelicEntry, AngelicReport, EntryOutcome, EntryTrace, Location, ProcedurePlace, Specification,
    SpecificationStatus, Warning, WarningKind,
};
use lariat_specs::SpecExpr;

use crate::warnings::short_hash;

/// An earlier report, and where its procedures are now.
pub struct Earlier<'a> {
    report: &'a AngelicReport,
    now: &'a [ProcedurePlace],
}

/// What is known of an entry already.
pub struct Reused {
    pub entry: AngelicEntry,
    pub traces: Vec<EntryTrace>,
    pub specifications: Vec<Specification>,
}

impl<'a> Earlier<'a> {
    pub fn new(report: &'a AngelicReport, now: &'a [ProcedurePlace]) -> Self {
        Earlier { report, now }
    }

    /// The results for an entry, if it was analysed to its end, or as long as an entry may be, and nothing that matters has
    /// changed.
    pub fn of(&self, name: &str, fingerprint: &str, entry_seconds: Option<f64>) -> Option<Reused> {
        let mut named = self.report.entries.iter().filter(|entry| entry.name == name);
        let entry = named.next().filter(|entry| entry.fingerprint == fingerprint)?;
        // Whose the warnings and specifications are is told by the name: functions of several files may share it.
        if named.next().is_some() {
            return None;
        }
        let took_all_its_time = entry_seconds.is_some_and(|limit| entry.stats.seconds > 0.9 * limit);
        if entry.outcome != EntryOutcome::Done && !took_all_its_time {
            return None;
        }
        // That it has no execution is told again.
        let is_vacuous =
            |note: &Warning| note.kind == WarningKind::Vacuous && note.location == entry.location;
        if self.report.notes.iter().any(is_vacuous) {
            return None;
        }
        let mut entry = entry.clone();
        entry.reused = true;
        if let Some(location) = &mut entry.location {
            self.relocate(location);
        }
        let traces = self.report.warnings.iter().flat_map(|warning| &warning.traces);
        let mut traces: Vec<EntryTrace> = traces.filter(|trace| trace.entry == name).cloned().collect();
        traces.iter_mut().for_each(|trace| self.relocate_trace(trace));
        let is_used =
            |spec: &&Specification| spec.entry == name && spec.status != SpecificationStatus::Rejected;
        let specs = self.report.specifications.iter().filter(is_used);
        let mut specifications: Vec<Specification> = specs.cloned().collect();
        for spec in &mut specifications {
            self.relocate_text(spec);
            let suppressed = spec
                .suppresses
                .iter_mut()
                .filter_map(|alarm| alarm.location.as_mut());
            let places: Vec<&mut Location> = spec.locations.iter_mut().chain(suppressed).collect();
            places.into_iter().for_each(|place| self.relocate(place));
        }
        Some(Reused {
            entry,
            traces,
            specifications,
        })
    }

    fn relocate_trace(&self, trace: &mut EntryTrace) {
        let failure = &mut trace.failure;
        let refused = trace
            .refused
            .as_mut()
            .and_then(|refused| refused.location.as_mut());
        let lines = failure.trace.iter_mut().filter_map(|line| line.location.as_mut());
        let inputs = failure
            .inputs
            .iter_mut()
            .filter_map(|input| input.location.as_mut());
        let places = failure
            .location
            .iter_mut()
            .chain(refused)
            .chain(lines)
            .chain(inputs);
        let places: Vec<&mut Location> = places.collect();
        places.into_iter().for_each(|place| self.relocate(place));
    }

    /// Moves the lines in the text of a specification without a decision.
    fn relocate_text(&self, spec: &mut Specification) {
        if spec.status != SpecificationStatus::Inferred || !spec.text.contains('@') {
            return;
        }
        let Ok(mut expr) = SpecExpr::parse(&spec.text) else {
            return;
        };
        expr.places_mut(&mut |place| {
            let found = spec.locations.iter().find(|location| location.line == place.line);
            if let Some(mut location) = found.cloned() {
                self.relocate(&mut location);
                place.line = location.line;
            }
        });
        let text = expr.to_string();
        if text != spec.text {
            spec.id = short_hash(&[&spec.entry, &text]);
            spec.text = text;
        }
    }

    /// Moves a place with the procedure that it is in.
    fn relocate(&self, place: &mut Location) {
        let Some(before) = procedure_at(&self.report.procedures, place) else {
            return;
        };
        let is_same = |other: &&ProcedurePlace| {
            other.name == before.name && other.location.file == before.location.file
        };
        if let Some(now) = self.now.iter().find(is_same) {
            place.line = place.line - before.location.line + now.location.line;
        }
    }
}

/// The procedure that a place is in: the last one that starts before it.
pub fn procedure_at<'p>(procedures: &'p [ProcedurePlace], place: &Location) -> Option<&'p ProcedurePlace> {
    let starts_before =
        |other: &&ProcedurePlace| other.location.file == place.file && other.location.line <= place.line;
    procedures
        .iter()
        .filter(starts_before)
        .max_by_key(|other| other.location.line)
}

/// A place in words that do not change when its procedure moves.
pub fn relative_place(procedures: &[ProcedurePlace], place: &Location) -> String {
    match procedure_at(procedures, place) {
        Some(procedure) => format!(
            "{}+{}:{}",
            procedure.name,
            place.line - procedure.location.line,
            place.column
        ),
        None => place.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32) -> Location {
        Location {
            file: "a.c".into(),
            line,
            column: 3,
        }
    }

    fn procedure(name: &str, line: u32) -> ProcedurePlace {
        ProcedurePlace {
            name: name.into(),
            location: at(line),
        }
    }

    #[test]
    fn lines_in_texts_move_too() {
        let report = AngelicReport {
            procedures: vec![procedure("g", 20)],
            ..AngelicReport::default()
        };
        let now = [procedure("g", 25)];
        let earlier = Earlier::new(&report, &now);
        let mut spec = Specification {
            text: "get()@22 != NULL || x after fill()@22:7 != q".into(),
            locations: vec![at(22)],
            ..Specification::default()
        };
        earlier.relocate_text(&mut spec);
        assert_eq!(spec.text, "get()@27 != NULL || x after fill()@27:7 != q");
    }

    #[test]
    fn places_move_with_their_procedures() {
        let report = AngelicReport {
            procedures: vec![procedure("f", 10), procedure("g", 20)],
            ..AngelicReport::default()
        };
        let now = [procedure("f", 10), procedure("g", 25)];
        let earlier = Earlier::new(&report, &now);
        let mut places = [at(5), at(12), at(22)];
        places.iter_mut().for_each(|place| earlier.relocate(place));
        assert_eq!(places, [at(5), at(12), at(27)]);
        assert_eq!(relative_place(&now, &at(27)), "g+2:3");
        assert_eq!(relative_place(&report.procedures, &at(22)), "g+2:3");
    }
}
