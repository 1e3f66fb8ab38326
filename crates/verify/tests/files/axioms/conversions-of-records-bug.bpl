// Functions that undo each other between infinite types: whatever finitely many values they have, there are such functions,
// as long as no value comes from two others.
// lariat verify
// expect: bug 18:3 assertion
datatype two { two(a: int, b: int) }
datatype four { four(c: int, d: int, e: int, f: int) }
function divide(v: two): four;
function unite(v: four): two;
axiom (forall v: two :: unite(divide(v)) == v);
axiom (forall v: four :: divide(unite(v)) == v);
procedure main(x: two, y: two)
{
  var v, w: four;
  v := divide(x);
  w := divide(y);
  assume x != y;
  assert unite(v) == x && unite(w) == y;
  assert v->c == 0;
}
