// lariat verify --summaries on
// expect: bug 16:3 assertion
// expect: warning 10:3 candidate-ignored
// Of a procedure without a body nothing can be checked, so nothing is believed.
const {:existential true} b: bool;
var x: int;

procedure external();
  modifies x;
  ensures b ==> x > 0;

procedure main()
  modifies x;
{
  call external();
  assert x > 0;
}
