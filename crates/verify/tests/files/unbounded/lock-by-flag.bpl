// The lock is held exactly if the flag says so.
// lariat verify --bound 2
// expect: bounded(2): loop in main 13:3
// expect: warning 6:11 completed-modifies
var held: bool;
procedure acquire() { assert !held; held := true; }
procedure release() { assert held; held := false; }
procedure main()
{
  var flag: bool;
  held := false;
  flag := false;
  while (*) {
    if (flag) {
      call release();
      flag := false;
    } else if (*) {
      call acquire();
      flag := true;
    }
  }
  if (flag) { call release(); }
}
