// Functions that undo each other give different values different ones.
// lariat verify
// expect: proved
datatype two { two(a: int, b: int) }
datatype four { four(c: int, d: int, e: int, f: int) }
function divide(v: two): four;
function unite(v: four): two;
axiom (forall v: two :: unite(divide(v)) == v);
procedure main(x: two, y: two)
{
  assume x != y;
  assert divide(x) != divide(y);
}
