// Assumed in the body, checked nowhere.
// lariat verify
// expect: proved
procedure p(a: int)
  free requires a > 0;
{
  assert a > 0;
}
procedure main(x: int)
{
  call p(x);
}
