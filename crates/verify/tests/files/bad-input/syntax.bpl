// lariat verify
// expect: bad-input 7:14 syntax
// expect: bad-input 8:9 syntax
// expect: bad-input 10:14 syntax
procedure main(x: int)
{
  assert x ==;
  x := 1
}
procedure p( { }
