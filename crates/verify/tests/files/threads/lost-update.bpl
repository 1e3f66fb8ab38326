// Each thread adds one, and one of the two is lost.
// lariat verify --contexts 2 --bound 1
// expect: bug 25:3 assertion
var x: int;
var done1, done2: bool;
procedure task(first: bool)
  modifies x, done1, done2;
{
  var t: int;
  t := x;
  x := t + 1;
  if (first) { done1 := true; } else { done2 := true; }
}
procedure main()
  modifies x, done1, done2;
{
  x := 0;
  done1 := false;
  done2 := false;
  async call task(true);
  async call task(false);
  assume done1;
  assume done2;
  // Both have ended.
  assert x == 2;
}
