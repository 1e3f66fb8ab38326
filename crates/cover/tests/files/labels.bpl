// Targets of `goto`, by their labels; the failure of the assertion ends an execution.
// run: --runs 0
//   4 of 5 reached
//   dead 26 Twelve: no execution gets there
// run: --goal Done
//   1 of 1 reached
// run: --goal Never
//   0 of 1 reached
//   dead 34 Never: no execution gets there
// run: --goal error
//   1 of 1 reached
var g: int;

procedure {:entrypoint} Main(x: int)
  modifies g;
{
  Start:
    g := x;
    goto Small, Large;
  Small:
    assume g < 10;
    goto Done;
  Large:
    assume g >= 10;
    assert g != 12;
    goto Twelve, Other;
  Twelve:
    assume g == 12;
    goto Never;
  Other:
    assume g != 12;
    goto Done;
  Never:
    g := 0;
    goto Done;
  Done:
    return;
}
