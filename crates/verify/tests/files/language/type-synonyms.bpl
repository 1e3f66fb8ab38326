// lariat verify
// expect: proved
type Index = int;
type Table a = [Index]a;
procedure main(t: Table bool, i: Index)
{
  var u: Table bool;
  u := t[i := true];
  assert u[i];
}
