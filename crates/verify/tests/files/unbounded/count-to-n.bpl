// A loop ends exactly at its bound.
// lariat verify --bound 2
procedure main(n: int)
{
  var i: int;
  assume n >= 0;
  i := 0;
  while (i < n) {
    i := i + 1;
  }
  assert i == n;
}
