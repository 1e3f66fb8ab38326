// lariat verify
// expect: bug 6:3 assertion
procedure main(m: [int]int, n: [int]int)
{
  assume m[0] == n[0];
  assert m == n;
}
