// A counter that stops at its limit.
// lariat verify --bound 2
// expect: bounded(2): loop in main 10:3
// expect: warning 6:11 completed-modifies
var x: int;
procedure tick() { if (x < 10) { x := x + 1; } }
procedure main()
{
  x := 0;
  while (*) {
    call tick();
  }
  assert x <= 10;
  assert x >= 0;
}
