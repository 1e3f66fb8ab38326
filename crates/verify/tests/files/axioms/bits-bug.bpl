// Functions that axioms describe as those of single bits are interpreted so: the values of the trace are right.
// lariat verify
// expect: bug 36:5 assertion
function AND(a: int, b: int): int;
function OR(a: int, b: int): int;
function NOT(a: int): int;
function FLAG(a: int): bool;
axiom (forall x: int :: {FLAG(x)} x == 0 || x == 1 || x == 2 || x == 4 || x == 8 || x == 16 || x == 32 || x == 64 || x == 128
  || x == 2147483648 || x == -2147483648 ==> FLAG(x));
axiom (forall f: int :: {AND(0, f)} AND(0, f) == 0);
axiom (forall f: int :: {AND(f, f)} AND(f, f) == f);
axiom (forall f: int :: {OR(0, f)} OR(0, f) == f);
axiom (forall f: int :: {OR(f, 0)} OR(f, 0) == f);
axiom (forall a, b, c: int :: {OR(a, OR(b, c))} OR(a, OR(b, c)) == OR(OR(a, b), c));
axiom (forall a, b, c: int :: {AND(a, OR(b, c))} AND(a, OR(b, c)) == AND(OR(b, c), a));
axiom (forall x, f: int :: {AND(x, f)} FLAG(x) && FLAG(f) && x != f ==> AND(x, f) == 0);
axiom (forall x, f, g: int :: {AND(OR(x, f), g)}
  (f != g && FLAG(f) && FLAG(g) ==> AND(OR(x, f), g) == AND(x, g)) && (f == g ==> AND(OR(x, f), g) == f));
axiom (forall x, f, g: int :: {AND(AND(x, NOT(f)), g)}
  (f != g && FLAG(f) && FLAG(g) ==> AND(AND(x, NOT(f)), g) == AND(x, g)) &&
  (f == g && FLAG(f) && FLAG(g) ==> AND(AND(x, NOT(f)), g) == 0));
axiom (forall x, y, g: int :: {AND(AND(x, y), g)} FLAG(g) ==> AND(AND(x, y), g) == 0 || AND(AND(x, y), g) == AND(x, g));

procedure main(x: int, y: int)
{
  var z: int;
  z := OR(x, 16);
  assume AND(x, 4) != 0 && AND(x, 6) == 4;
  assume AND(x, -2147483648) != 0;
  z := AND(z, NOT(4));
  assume y > 3 && y < 30 && AND(z, y) != 0;
  if (AND(z, 16) == 16)
  {
    // The flag 4 was cleared, 16 was set, and 64 may be set or not.
    assert AND(z, 4) == 0;
    assert AND(z, 64) == 0;
  }
}
