// flags: -prune -vcsSplitOnEveryAssert
// (29,5): Error: this assertion could not be proved
// (31,3): Error: this assertion could not be proved
// (39,3): Error: this assertion could not be proved
// (45,3): Error: this assertion could not be proved
// finished with 2 verified, 4 errors

function Double(x: int): int uses {
  hideable axiom (forall x: int :: {Double(x)} Double(x) == 2 * x);
}

function Next(x: int): int uses {
  hideable axiom (forall x: int :: {Next(x)} Next(x) == x + 1);
}

revealed function Known(x: int): int uses {
  hideable axiom (forall x: int :: {Known(x)} Known(x) == 3);
}

procedure Hidden(x: int, b: bool)
{
  assert Double(4) == 8;
  hide *;
  assert Known(1) == 3;
  if (b) {
    reveal Double;
    assert Double(x) == x + x;
  } else {
    assert Next(2) == 3; // hidden
  }
  assert Next(5) == 6; // hidden on both ways
  assert Double(5) == 10; // revealed on one way
}

procedure Scopes()
{
  hide Next;
  assert Double(1) == 2;
  assert Next(1) == 2; // hidden
  push;
  reveal Next;
  assert Next(2) == 3;
  pop;
  assert Double(7) == 14;
  assert Next(7) == 8; // hidden again
}

procedure Plain()
{
  assert Next(1) == 2;
}

procedure All()
{
  hide *;
  reveal *;
  assert Next(Double(3)) == 7;
}
