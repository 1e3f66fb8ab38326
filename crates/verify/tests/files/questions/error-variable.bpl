// lariat verify --error-variable err
// expect: bug 4:1 variable-nonzero
var err: int;
procedure main(x: int)
  modifies err;
{
  err := 0;
  if (x > 10) { err := x; }
}
