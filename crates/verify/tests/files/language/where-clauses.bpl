// A havoc keeps to the where clause, and so do parameters and globals at the start.
// lariat verify
// expect: proved
var g: int where g >= 0;
procedure main(p: int where p > 10)
  modifies g;
{
  var x: int where 0 <= x && x < 4;
  assert g >= 0 && p > 10;
  assert x < 4;
  havoc x;
  assert 0 <= x;
  havoc g;
  assert g + x >= 0;
}
