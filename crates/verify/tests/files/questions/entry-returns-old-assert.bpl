// lariat verify
// expect: bug 9:1 entry-returns
var failed: bool;
procedure check(x: int)
  modifies failed;
{
  if (x == 3) { failed := true; }
}
procedure {:entrypoint} start(x: int)
  modifies failed;
{
  failed := false;
  call check(x);
  assume {:OldAssert} failed;
}
