// flags: -prune:1
// (16,1): Error: a postcondition could not be proved on this return path
// (13,3): Related location: this is the postcondition that could not be proved
// finished with 2 verified, 1 error

function Source(x: int): bool uses { axiom (forall x: int :: Target(x) == 3); }
function Target(x: int): int;
function Square(x: int): int { x * x }

procedure Uses() requires Source(0); ensures Target(4) == 3; { }

procedure UsesNot()
  ensures Target(4) == 3;
{

}

procedure Defined() { assert Square(3) == 9; }
