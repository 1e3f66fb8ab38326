// (14,3): Error: measure could not be proved to decrease
// (22,5): Error: measure could not be proved to decrease
// finished with 2 verified, 2 errors

procedure Down(n: int)
  measure n;
{
  if (n > 0) { call Down(n - 1); }
}

procedure Up(n: int)
  measure n;
{
  call Up(n + 1);
}

procedure Loop(b: bool) {
  var n: int;
  n := 10;
  while (n != 0)
    invariant n <= 10;
    measure n;
  {
    n := n - 1;
  }
}

procedure Ends() {
  var n: int;
  var first: bool;
  n, first := 10, true;
  while (n >= 1)
    measure first, n;
  {
    if (first) { n, first := 100, false; } else { n := n - 1; }
  }
}
