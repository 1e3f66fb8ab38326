// A recursion that counts its own depth.
// lariat verify --bound 2
// expect: bounded(2): recursion of count
procedure count(n: int) returns (r: int)
{
  r := 0;
  if (n > 0) {
    call r := count(n - 1);
    r := r + 1;
  }
}
procedure main(n: int)
{
  var x: int;
  assume n >= 0;
  call x := count(n);
  assert x == n;
}
