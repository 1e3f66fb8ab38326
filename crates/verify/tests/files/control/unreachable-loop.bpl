// A loop that no execution reaches does not make the answer depend on the bound.
// lariat verify
// expect: proved
procedure main(n: int)
{
  var i: int;
  i := 0;
  assume n < 0;
  while (i < n) {
    i := i + 1;
    assert false;
  }
  assert i == 0;
}
