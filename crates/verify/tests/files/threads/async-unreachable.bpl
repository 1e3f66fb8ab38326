// No execution starts the thread, and four contexts are all that there can be.
// lariat verify --contexts 4
// expect: proved
var g: int;
procedure task() modifies g; { g := 1; }
procedure main()
  modifies g;
{
  g := 0;
  if (g == 1) {
    async call task();
  }
  assert g == 0;
}
