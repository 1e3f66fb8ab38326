// The thread may run before the assertion.
// lariat verify --contexts 2
// expect: bug 11:3 assertion
var g: int;
procedure task() modifies g; { g := 1; }
procedure main()
  modifies g;
{
  g := 0;
  async call task();
  assert g == 0;
}
