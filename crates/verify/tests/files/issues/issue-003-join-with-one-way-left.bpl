// One of two ways to a join cannot be completed, found out after the join was made.
// lariat verify
// expect: bug 22:3 assertion
procedure p(n: int) returns (r: int, s: int)
{
  r := 1;
  s := n;
  if (n > 3) {
    r := 2;
    if (n < 2) { s := 4; } else { s := 5; assume false; }
    assume s == 7;
  } else if (n == 1) {
    r := 3;
  }
  r := r + s;
}
procedure main(n: int)
{
  var x: int;
  var y: int;
  call x, y := p(n);
  assert x != 4;
}
