// (12,3): Error: this assertion could not be proved
// (22,3): Error: this assertion could not be proved
// (38,1): Error: a postcondition could not be proved on this return path
// (35,3): Related location: this is the postcondition that could not be proved
// finished with 4 verified, 3 errors

procedure Starts() { var {:assumption} a: bool; assert a; }

procedure Any() {
  var {:assumption} a: bool;
  havoc a;
  assert a;
}

// Once false, it stays false.
procedure Stays(b: bool) { var {:assumption} a: bool; a := a && b; havoc a; assert a ==> b; }

// What is asserted counts as verified where the attribute holds.
procedure Under(b: bool, c: bool)
{
  assert {:verified_under b} b || c || !c;
  assert {:verified_under b} c;
}

procedure Always()
  free requires {:always_assume} false;
  requires false;
{
}
procedure CallsAlways() { call Always(); }

procedure Ensures()
  free ensures {:always_assume} true;
  free ensures false;
  ensures false;
{
  assert true;
}
