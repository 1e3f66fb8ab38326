const unique a, b: int;
const {:known 1, "two", a + b} limit: [int]int;
const zero: int uses {
  axiom zero == 0;
  hideable axiom {:id "positive"} zero >= 0;
}
function plain(int, bool) returns (int);
function named(x: int, y: bool) returns (result: int);
function shared(x, y: int, z: bool): int;
function constant(): int { 5 }
function {:inline} {:verified false} twice(x: int): int { x + x }
function {:define true} square(x: int) returns (int) { x * x }
function {:bvbuiltin "bvadd"} add(bv8, bv8) returns (bv8);
function generic<k, v>(map: [k]v, {:mark} key: k) returns ({:out} value: v) { map[key] }
revealed function open(x: int) returns (bool);
function used(x: int) returns (int) uses { axiom (forall x: int :: used(x) > x); }
function both_parts(x: int) returns (int) { x } uses { hideable axiom both_parts(1) == 1; axiom true; }
function words(left: int, right: int, hide: int, string: int) returns (bool) { left < right || hide == string }
axiom {:weight 3} (exists x: int :: open(x));
hideable axiom twice(2) == 4;
