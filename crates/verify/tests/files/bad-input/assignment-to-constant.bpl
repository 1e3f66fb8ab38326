// lariat verify
// expect: bad-input 7:3 immutable
// expect: bad-input 8:3 immutable
const c: int;
procedure main(p: int)
{
  c := 1;
  p := 2;
  assert true;
}
