// lariat verify --summaries on
// expect: bug 13:1 postcondition
// The axiom says that the clause is to hold, so it is no candidate.
const {:existential true} b: bool;
axiom b;
var x: int;

procedure main()
  modifies x;
  ensures b ==> x == 0;
{
  x := 1;
}
