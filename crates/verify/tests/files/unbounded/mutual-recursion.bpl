// Two procedures that call each other and count together.
// lariat verify --bound 2
// expect: bounded(2): recursion of ping
// expect: warning 6:11 completed-modifies
var steps: int;
procedure ping(n: int)
{
  steps := steps + 1;
  if (n > 0) { call pong(n - 1); }
}
procedure pong(n: int)
{
  steps := steps + 1;
  if (n > 0) { call ping(n - 1); }
}
procedure main(n: int)
{
  steps := 0;
  call ping(n);
  assert steps >= 1;
}
