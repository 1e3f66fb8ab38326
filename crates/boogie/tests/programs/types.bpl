// Types and their declarations.
type Ref;
type {:datatype_like} Pair a b;
type Field t, Cell;
type Heap = <a>[Ref, Field a]a;
type Matrix t = [int][int]t;
type Table k v = [k]Pair v int;

var heap: Heap;
var nested: [int, bool](Pair (Field int) ([int]bool));
var applied: Pair int Pair_of_nothing;
type Pair_of_nothing;
var last_argument_is_a_map: Pair Ref [int]<a>[Field a]a;
var no_index: []int;
var bits: bv32, one_bit: bv1, no_bit: bv0;
var single: float24e8, double: float53e11;
var rounding: rmode;
var text: string, pattern: regex;
var numbers: [real]int where (forall r: real :: numbers[r] == int(r)), truth: bool;
