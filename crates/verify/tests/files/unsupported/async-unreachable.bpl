// What no execution reaches needs no meaning.
// lariat verify
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
