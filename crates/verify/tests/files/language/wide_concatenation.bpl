// lariat verify
// expect: proved
// Boogie lets a concatenation pass as wider than it is; nothing here executes it.
function {:inline} too_wide(x: bv8, y: bv8) returns (bv17) { x ++ y }

procedure main(x: bv8)
{
  assert (x ++ x)[8:0] == x;
}
