// Datatypes as they were written before Boogie 3: selectors and tests are functions that nobody declares.
// lariat verify
// expect: bug 17:3 assertion
type {:datatype} pair;
function {:constructor} mk.pair(first: int, second: bool) returns (pair);
function {:constructor} none() returns (pair);

procedure main(p: pair, n: int)
{
  var q: pair;

  assume is#mk.pair(p);
  q := mk.pair(first#mk.pair(p) + n, true);
  assert second#mk.pair(q);
  assert first#mk.pair(q) == first#mk.pair(p) + n;
  assert !is#none(q);
  assert first#mk.pair(q) == first#mk.pair(p);
}
