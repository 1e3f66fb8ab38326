//! The analysis against concrete runs: random programs without undefined behaviour are run byte by byte, and what the
//! result promises is checked for every access that happened.

mod support;

use std::collections::{HashMap, HashSet};

use lariat_c_program::{CProgram, Scalar};
use lariat_c_regions::{Access, RegionId, Regions, analyze};
use lariat_testkit::seeds::seeds;
use support::generate::generate;
use support::machine::{Happened, Machine, variable_of};

/// How often each promise was put to the test, so that the test cannot become empty unnoticed.
#[derive(Default, Debug)]
struct Counts {
    accesses: usize,
    shared: usize,
    words: usize,
    calls: usize,
    havocs: usize,
    regions: usize,
}

type Bit = (usize, u64);

struct Checker<'a> {
    seed: u64,
    c: &'a CProgram,
    machine: &'a Machine,
    regions: &'a Regions,
    region_of: HashMap<Bit, RegionId>,
    /// Bits of accesses that the result says nobody needs.
    unneeded: HashSet<Bit>,
    /// Word accesses by bit: offset, shift and width in bits.
    words: HashMap<Bit, (u64, u32, u64)>,
    counts: &'a mut Counts,
}

impl Checker<'_> {
    fn check(&mut self) {
        for happened in &self.machine.log {
            match happened {
                Happened::Access(event) => {
                    let variable = variable_of(event.function, &event.place);
                    if variable.is_some_and(|variable| self.regions.is_split(variable)) {
                        continue;
                    }
                    let cell = self.regions.place(self.c, Some(event.function), &event.place);
                    let cell = self.regions.at(cell, event.further);
                    let access = self
                        .regions
                        .find_access(cell, event.scalar, event.bytes, event.bits);
                    let (shift, width) = match event.bits {
                        Some(bits) => (bits.shift, u64::from(bits.width)),
                        None => (0, event.bytes * 8),
                    };
                    self.touch(access, event.object, event.offset, shift, width);
                }
                Happened::Bytes {
                    pointer,
                    further,
                    object,
                    offset,
                } => {
                    let cell = self.regions.at(self.regions.target(*pointer), *further);
                    let byte = Scalar::Int {
                        bits: 8,
                        signed: false,
                    };
                    let access = self.regions.find_access(cell, byte, 1, None);
                    self.touch(access, *object, *offset, 0, 8);
                }
                Happened::Called { pointer, function } => {
                    self.counts.calls += 1;
                    let targets = self.regions.targets(*pointer);
                    assert!(targets.functions.contains(function), "seed {}: target", self.seed);
                }
                Happened::Havoc { .. } => {}
            }
        }
        for bit in &self.unneeded {
            assert!(
                !self.region_of.contains_key(bit),
                "seed {}: {bit:?} is needed",
                self.seed
            );
        }
        // By now the regions of all bytes that count are known.
        for happened in &self.machine.log {
            let Happened::Havoc {
                given,
                object,
                offset,
            } = happened
            else {
                continue;
            };
            for bit in offset * 8..offset * 8 + 8 {
                let Some(region) = self.region_of.get(&(*object, bit)) else {
                    continue;
                };
                self.counts.havocs += 1;
                let reached = given
                    .iter()
                    .any(|arg| self.regions.reachable(self.regions.target(*arg)).contains(region));
                assert!(reached, "seed {}: {region} is not reachable", self.seed);
            }
        }
    }

    fn touch(&mut self, access: Option<Access>, object: usize, offset: u64, shift: u32, width: u64) {
        let start = offset * 8 + u64::from(shift);
        let Some(access) = access else {
            self.unneeded
                .extend((start..start + width).map(|bit| (object, bit)));
            return;
        };
        self.counts.accesses += 1;
        let (Access::Word(region) | Access::Bytes(region)) = access;
        let data = &self.regions.regions()[region];
        match self.machine.objects[object].global {
            Some(global) => assert!(
                data.globals.contains(&global),
                "seed {}: {global} in {region}",
                self.seed
            ),
            None => assert!(data.has_other_objects, "seed {}: objects in {region}", self.seed),
        }
        for bit in start..start + width {
            let known = *self.region_of.entry((object, bit)).or_insert(region);
            assert_eq!(known, region, "seed {}: object {object} bit {bit}", self.seed);
            self.counts.shared += 1;
            if let Access::Word(_) = access {
                self.counts.words += 1;
                let known = *self.words.entry((object, bit)).or_insert((offset, shift, width));
                assert_eq!(
                    known,
                    (offset, shift, width),
                    "seed {}: object {object} bit {bit}",
                    self.seed
                );
            }
        }
    }
}

#[test]
fn regions_agree_with_concrete_runs() {
    let mut counts = Counts::default();
    let seeds = seeds(1, 1500);
    let programs = seeds.clone().count();
    for seed in seeds {
        let generated = generate(seed, 25);
        let regions = analyze(&generated.c);
        counts.regions += regions.regions().len();
        let mut checker = Checker {
            seed,
            c: &generated.c,
            machine: &generated.machine,
            regions: &regions,
            region_of: HashMap::new(),
            unneeded: HashSet::new(),
            words: HashMap::new(),
            counts: &mut counts,
        };
        checker.check();
    }
    assert!(counts.accesses > 10 * programs, "{counts:?}");
    assert!(
        counts.words > programs && counts.havocs > programs / 10 && counts.calls > programs / 10,
        "{counts:?}"
    );
}
