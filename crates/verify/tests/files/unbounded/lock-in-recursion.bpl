// A lock around a recursive call that leaves it as it was.
// lariat verify --bound 2
// expect: bounded(2): recursion of work
// expect: warning 6:11 completed-modifies
var s: int;
procedure acquire() { assert s == 0; s := 1; }
procedure release() { assert s == 1; s := 0; }
procedure work()
{
  call acquire();
  call release();
  if (*) { call work(); }
}
procedure main()
{
  s := 0;
  call work();
  call acquire();
}
