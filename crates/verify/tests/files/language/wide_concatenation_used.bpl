// lariat verify
// expect: unknown: unsupported: a concatenation that is wider than its operands
function {:inline} too_wide(x: bv8, y: bv8) returns (bv17) { x ++ y }

procedure main(x: bv8)
{
  assert too_wide(x, x)[8:0] == x;
}
