// The assertion fails before the construct that has no meaning yet.
// lariat verify
// expect: bug 7:3 assertion
procedure task() { }
procedure main(x: int)
{
  assert x == 0;
  async call task();
}
