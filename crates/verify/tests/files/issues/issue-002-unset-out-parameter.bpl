// An out parameter that is read and never set has one value, inside and outside.
// lariat verify
// expect: proved
procedure p() returns (r: int)
{
  assume r > 0;
}
procedure main()
{
  var x: int;
  call x := p();
  assert x > 0;
}
