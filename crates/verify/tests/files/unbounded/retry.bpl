// A driver retries until it succeeds, and undoes every failed attempt.
// lariat verify --bound 2
// expect: bounded(2): loop in main 19:10
// expect: warning 6:11 completed-modifies
var irql: int;
procedure raise() { assert irql == 0; irql := 2; }
procedure lower() { assert irql == 2; irql := 0; }
procedure try() returns (ok: bool)
{
  call raise();
  havoc ok;
  if (!ok) { call lower(); }
}
procedure main()
{
  var ok: bool;
  irql := 0;
  call ok := try();
  while (!ok) {
    call ok := try();
  }
  call lower();
}
