// lariat verify --summaries on
// expect: proved
// Programs without structured loops have their invariants as assertions at the head.
const {:existential true} b1: bool;
const {:existential true} b2: bool;

procedure main()
{
  var x, y, z: int;
  var d: int;
entry:
  x, y, z := 0, 0, 0;
  goto head;
head:
  assert {:tag "sum"} b1 ==> z == 2 * x + 3 * y;
  assert b2 ==> z == 0;
  havoc d;
  goto left, right, done;
left:
  x, z := x + d, z + 2 * d;
  goto head;
right:
  y, z := y + d, z + 3 * d;
  goto head;
done:
  assert x == y ==> z == 5 * x;
}
