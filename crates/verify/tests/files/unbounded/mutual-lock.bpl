// One procedure takes the lock, the other releases it.
// lariat verify --bound 2
// expect: bounded(2): recursion of enter
// expect: warning 6:11 completed-modifies
var s: int;
procedure enter(n: int)
{
  assert s == 0;
  s := 1;
  if (n > 0) { call leave(n - 1); } else { s := 0; }
}
procedure leave(n: int)
{
  assert s == 1;
  s := 0;
  if (n > 0) { call enter(n - 1); }
}
procedure main(n: int)
{
  s := 0;
  call enter(n);
  assert s == 0;
}
