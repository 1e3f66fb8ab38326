// lariat verify --all --bound 2
// expect: bug 8:5 assertion one
procedure main(n: int)
{
  var i: int;
  i := 0;
  while (i < n) {
    assert {:id "one"} i != 1;
    assert {:id "three"} i != 3;
    i := i + 1;
  }
}
