// lariat verify --summaries on --bound 4
// expect: bug 20:3 assertion
const {:existential true} b: bool;
const {:existential true} c: bool;
var x: int;

procedure step()
  modifies x;
  ensures b ==> old(x) mod 3 == 0 ==> x mod 3 == 0;
  ensures c ==> x != 6;
{
  if (*) { x := x + 3; call step(); }
}

procedure main()
  modifies x;
{
  x := 0;
  call step();
  assert x != 6;
}
