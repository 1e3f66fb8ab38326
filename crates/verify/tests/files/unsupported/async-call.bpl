// lariat verify
// expect: unknown: unsupported: async call of task
var g: int;
procedure task() modifies g; { g := 1; }
procedure main()
  modifies g;
{
  g := 0;
  async call task();
  assert g == 0;
}
