// lariat verify
// expect: proved
procedure external(a: int) returns (r: int);
  ensures r > a;
procedure main(x: int)
{
  var y: int;
  call y := external(x);
  call y := external(y);
  assert y > x + 1;
}
