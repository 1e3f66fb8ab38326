// lariat verify
// expect: proved
procedure p(a: int) returns (r: int);
  ensures r > a;
implementation p(b: int) returns (s: int)
{
  s := b + 1;
}
procedure main()
{
  var x: int;
  call x := p(4);
  assert x == 5;
}
