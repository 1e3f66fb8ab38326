// A call that does not matter is executed in the replay; one of its ways never ends.
// lariat verify
// expect: bug 11:1 entry-returns
procedure wander(a: int) returns (r: int)
{
  r := 2;
  if (*) {
    while (a == a) { }
  }
}
procedure main(x: int)
{
  var y: int;
  call y := wander(x);
  assume x > 4;
}
