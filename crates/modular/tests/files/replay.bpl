// (25,3): Error: this assertion could not be proved
// (36,3): Error: a precondition for this call could not be proved
// (31,3): Related location: this is the precondition that could not be proved
// (38,3): Error: this assertion could not be proved
// (47,5): Error: this invariant could not be proved to be maintained by the loop
// (61,3): Error: this assertion could not be proved
// (72,3): Error: this assertion could not be proved
// (80,3): Error: this assertion could not be proved
// (86,3): Error: this assertion could not be proved
// (95,5): Error: this invariant could not be proved to be maintained by the loop
// (110,3): Error: this assertion could not be proved
// (119,3): Error: a postcondition could not be proved on this return path
// (116,3): Related location: this is the postcondition that could not be proved
// (130,3): Error: this assertion could not be proved
// finished with 1 verified, 12 errors

var g: int;

// Real: a path without loops.
procedure Straight(x: int, m: [int]int)
  requires m[x] > x;
{
  var y: int;
  y := m[x] + 1;
  assert y > x + 2;
}

// Real: the callee may do what its contract allows.
procedure Callee(x: int) returns (y: int);
  modifies g;
  requires x > 0;
  ensures y >= x && g == y;

procedure Caller(x: int) modifies g; {
  var y: int;
  call y := Callee(x);
  call y := Callee(if x > 0 then x else 1);
  assert y > x && g > 0;
}

// Real: the loop is executed.
procedure Broken()
{
  var i: int;
  i := 0;
  while (i < 10)
    invariant i < 5;
  {
    i := i + 1;
  }
}

// Open: the invariant is too weak, but the assertion holds.
procedure Weak()
{
  var i: int;
  while (i < 10)
  {
    i := i + 1;
  }
  assert i >= 10 && i * 0 == 0 && Positive(i);
}

function Positive(x: int): bool;
function Far(x: int): bool;
axiom (forall x: int :: {Far(x)} Positive(x));

// Open: the axiom says it, but its trigger does not let the solver use it.
procedure Trigger(x: int)
{
  assume x > 5;
  assert Positive(x);
}

// Real: the axioms allow it.
function F(x: int): int;
axiom (forall x: int :: {F(x)} F(x) > 0);
procedure Allowed()
{
  assert F(3) > 1;
}

// Real: what was chosen is replayed too.
procedure Chosen(b: bool) modifies g; {
  havoc g;
  assert g != 7;
}

// Open: no execution comes to the round that the solver found.
procedure Unreachable()
{
  var i: int;
  i := 0;
  while (i < 10)
    invariant i != 5;
  {
    i := i + 2;
  }
}

// Real: found by going through the loop.
procedure After(n: int)
  requires n >= 0;
{
  var i: int;
  i := 0;
  while (i < n && i < 3) {
    i := i + 1;
  }
  assert i < 3 || n < 3;
}

// Real: a postcondition.
procedure Post(x: int) returns (y: int)
  requires x > 0;
  ensures y > x;
{
  y := x;
  if (x > 100) {
    y := y + 1;
  }
}

// Open: the contract allows zero, the body does not give it.
procedure One() returns (r: int) ensures r >= 0; { r := 1; }
procedure CallsOne()
{
  var r: int;
  call r := One();
  assert r > 0;
}
