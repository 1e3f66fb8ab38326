// lariat verify
// expect: bad-input 7:8 type-mismatch
// expect: bad-input 8:10 type-mismatch
procedure main(x: int)
{
  var b: bool;
  b := x + 1;
  assert b && x;
}
