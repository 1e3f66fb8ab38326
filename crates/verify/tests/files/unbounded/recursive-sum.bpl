// The sum of natural numbers is not smaller than the last of them.
// lariat verify --bound 2
// expect: bounded(2): recursion of sum
procedure sum(n: int) returns (r: int)
{
  r := 0;
  if (n > 0) {
    call r := sum(n - 1);
    r := r + n;
  }
}
procedure main(n: int)
{
  var x: int;
  call x := sum(n);
  assert x >= 0;
  assert x >= n;
}
