// lariat verify --error-variable bad
// expect: bug 4:1 variable-nonzero
var bad: bool;
procedure main(x: bv4)
  modifies bad;
{
  bad := x == 3bv4;
}
