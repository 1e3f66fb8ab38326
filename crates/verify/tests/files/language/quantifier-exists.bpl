// lariat verify
// expect: bug 6:3 assertion
procedure main(m: [int]int)
{
  assume (exists i: int :: m[i] > 3);
  assert m[0] > 3;
}
