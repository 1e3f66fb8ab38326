// One loop that turns round at the top.
// lariat verify --bound 2
// expect: bounded(2): loop in main 11:3
procedure main(n: int)
{
  var x: int;
  var rising: bool;
  assume n > 0;
  x := 0;
  rising := true;
  while (*) {
    if (rising) { x := x + 1; } else { x := x - 1; }
    if (x >= n) { rising := false; }
    if (x <= 0) { rising := true; }
    assert 0 <= x && x <= n;
  }
}
