// lariat verify
// expect: proved
function {:bvbuiltin "bvadd"} add(x: bv8, y: bv8): bv8;
function {:bvbuiltin "bvult"} ult(x: bv8, y: bv8): bool;
procedure main(x: bv8)
{
  var wide: bv16;
  assume ult(x, 255bv8);
  assert ult(x, add(x, 1bv8));
  wide := 1bv8 ++ x;
  assert wide[8:0] == x;
  assert wide[16:8] == 1bv8;
}
