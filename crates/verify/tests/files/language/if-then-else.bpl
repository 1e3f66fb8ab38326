// lariat verify
// expect: proved
procedure main(a: int, b: int)
{
  var max: int;
  max := if a < b then b else a;
  assert max >= a && max >= b && (max == a || max == b);
}
