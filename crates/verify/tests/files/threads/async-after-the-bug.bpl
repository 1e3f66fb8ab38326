// The assertion fails before the thread starts.
// lariat verify --contexts 2
// expect: bug 7:3 assertion
procedure task() { }
procedure main(x: int)
{
  assert x == 0;
  async call task();
}
