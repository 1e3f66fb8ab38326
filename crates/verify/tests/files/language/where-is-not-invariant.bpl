// An assignment may break a where clause.
// lariat verify
// expect: bug 8:3 assertion
procedure main()
{
  var x: int where x >= 0;
  x := -1;
  assert x >= 0;
}
