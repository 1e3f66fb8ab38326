// lariat verify
// expect: bug 7:3 assertion
function {:bvbuiltin "bvadd"} add(x: bv8, y: bv8): bv8;
function {:bvbuiltin "bvult"} ult(x: bv8, y: bv8): bool;
procedure main(x: bv8)
{
  assert ult(x, add(x, 1bv8));
}
