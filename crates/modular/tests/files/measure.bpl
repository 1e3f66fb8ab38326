// (20,3): Error: measure could not be proved to decrease
// (40,13): Error: this invariant could not be proved to be maintained by the loop
// (53,3): Error: a precondition for this call could not be proved
// (47,11): Related location: this measure could not be proved to be non-negative
// (74,16): Error: measure could not be proved to decrease
// finished with 4 verified, 4 errors

var g: int;

procedure Down(n: int)
  measure n;
{
  if (n > 0) { call Down(n - 1); }
}

procedure Up(n: int)
  measure n;
  modifies g;
{
  call Up(n + 1);
}

// A measure is an invariant: it is never negative.
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

// One that becomes negative is not.
procedure Below() {
  var n: int;
  n := 10;
  while (n > -1)
    measure n;
  {
    n := n - 2;
  }
}

procedure Counted(n: int)
  measure g + n;
{
}

procedure Calls(n: int)
{
  call Counted(n);
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

// Two clauses are compared one after the other.
procedure Both(a: int, b: int)
  measure a;
  measure b;
{
  if (a > 0) { call Both(a - 1, b + 7); }
  if (b > 0) { call Both(a, b - 1); }
  if (b > 0) { call Both(a, b); }
}
