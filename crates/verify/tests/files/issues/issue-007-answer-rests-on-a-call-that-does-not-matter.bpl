// Calls beyond the bound are on every way that was looked at, but none of them matters.
// lariat verify --bound 2
// expect: proved
var g: int;
procedure p(a: int) returns (r: int)
  modifies g;
{
  r := 1;
  if (*) {
    call g := p(a - 1);
  }
}
procedure main(b: bool)
  modifies g;
{
  var x: int;
  g := 1;
  call x := p(3);
  while (!b) {
    x := 2;
  }
  assert x + g == 2;
}
