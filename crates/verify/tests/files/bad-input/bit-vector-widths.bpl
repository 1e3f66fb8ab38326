// lariat verify
// expect: bad-input 7:10 type-mismatch
// expect: bad-input 8:10 invalid-extract
// expect: warning 9:10 literal-too-wide
procedure main(x: bv8, y: bv4)
{
  assert x == y;
  assert x[9:0] == 0bv9;
  assert 16bv4 == y;
}
