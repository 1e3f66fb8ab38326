// lariat verify
// expect: bug 16:3 assertion
procedure find(m: [int]bool) returns (r: int)
{
  r := 0;
  while (r < 3) {
    if (m[r]) { return; }
    r := r + 1;
  }
  r := -1;
}
procedure main(m: [int]bool)
{
  var k: int;
  call k := find(m);
  assert k != 2;
}
