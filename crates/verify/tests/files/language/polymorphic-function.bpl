// lariat verify
// expect: proved
type T;
function id<a>(x: a): a;
axiom (forall<a> x: a :: {id(x)} id(x) == x);
procedure main(t: T)
{
  assert id(3) == 3;
  assert id(t) == t;
  assert id(true);
}
