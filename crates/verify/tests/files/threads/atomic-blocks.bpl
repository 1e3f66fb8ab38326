// Nobody sees the middle of an atomic block. There are three places where a thread may give way: four contexts are all executions.
// lariat verify --contexts 4 --bound 1
// expect: proved
var x, y: int;
procedure corral_atomic_begin();
procedure corral_atomic_end();
procedure task()
  modifies x, y;
{
  call corral_atomic_begin();
  x := x + 1;
  y := y + 1;
  call corral_atomic_end();
}
procedure main()
  modifies x, y;
{
  x := 0;
  y := 0;
  async call task();
  async call task();
  call corral_atomic_begin();
  assert x == y;
  call corral_atomic_end();
}
