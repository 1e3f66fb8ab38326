// Assumed at the call, checked nowhere.
// lariat verify
// expect: proved
procedure p() returns (r: int)
  free ensures r > 0;
{
}
procedure main()
{
  var x: int;
  call x := p();
  assert x > 0;
}
