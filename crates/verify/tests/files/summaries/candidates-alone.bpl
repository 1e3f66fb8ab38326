// lariat verify --summaries on
// expect: unknown: nothing-checked: nothing was checked: the entry reaches none of the assertions
// expect: warning nothing-checked
// Candidates are no assertions: there is nothing to check.
const {:existential true} b: bool;
var x: int;

procedure main()
  modifies x;
  ensures b ==> x == 0;
{
  x := 1;
}
