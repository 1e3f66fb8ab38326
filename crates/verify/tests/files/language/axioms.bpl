// lariat verify
// expect: bug 10:3 assertion
function parent(x: int): int;
const root: int;
axiom parent(root) == root;
axiom root > 10;
procedure main(x: int)
{
  assume parent(x) == x;
  assert x == root;
}
