// lariat verify
// expect: proved
function {:bvbuiltin "bvadd"} add(x: bv8, y: bv8): bv8;
function {:bvbuiltin "bvult"} ult(x: bv8, y: bv8): bool;
procedure main()
{
  var i: bv8;
  i := 250bv8;
  while (ult(0bv8, i)) {
    i := add(i, 1bv8);
  }
  assert i == 0bv8;
}
