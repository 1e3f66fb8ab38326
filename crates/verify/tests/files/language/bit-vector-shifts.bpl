// lariat verify
// expect: bug 10:3 assertion
function {:bvbuiltin "bvshl"} shl(x: bv4, y: bv4): bv4;
function {:bvbuiltin "bvlshr"} lshr(x: bv4, y: bv4): bv4;
function {:bvbuiltin "bvashr"} ashr(x: bv4, y: bv4): bv4;
procedure main(x: bv4)
{
  assert lshr(8bv4, 3bv4) == 1bv4;
  assert ashr(8bv4, 3bv4) == 15bv4;
  assert lshr(shl(x, 1bv4), 1bv4) == x;
}
