// lariat verify --error-variable err
// expect: proved
var err: int;
procedure main(x: int)
  modifies err;
{
  err := 0;
  if (x != x) { err := x; }
}
