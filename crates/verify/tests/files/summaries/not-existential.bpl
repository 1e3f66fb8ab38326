// lariat verify --summaries on --all
// expect: bug 19:1 postcondition
// expect: bug 19:1 postcondition
// expect: bug 19:1 postcondition
// expect: warning 8:27 existential-constant
// Neither is a candidate: the constant of the first is ordinary, and `b` is no antecedent of the second.
const a: bool;
const {:existential true} b: bool;
const {:existential false} c: bool;
var x: int;

procedure main()
  modifies x;
  ensures a ==> x == 0;
  ensures b || x == 0;
  ensures c ==> x == 0;
{
  x := 1;
}
