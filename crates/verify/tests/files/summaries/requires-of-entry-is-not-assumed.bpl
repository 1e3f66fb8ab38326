// lariat verify --summaries on
// expect: bug 9:3 assertion
const {:existential true} b: bool;
var x: int;

procedure main()
  requires b ==> x > 0;
{
  assert x > 0;
}
