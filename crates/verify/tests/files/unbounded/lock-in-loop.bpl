// A lock that is taken and released in every round ([Corral12], 4.2).
// lariat verify --bound 2
// expect: bounded(2): loop in main 11:3
// expect: warning 6:11 completed-modifies
var s: int;
procedure acquire() { assert s == 0; s := 1; }
procedure release() { assert s == 1; s := 0; }
procedure main()
{
  s := 0;
  while (*) {
    call acquire();
    if (*) { call release(); call acquire(); }
    call release();
  }
  assert s == 0;
}
