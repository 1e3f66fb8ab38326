// The subtractions of Euclid keep both numbers positive.
// lariat verify --bound 2
// expect: bounded(2): loop in main 10:10
procedure main(n: int, m: int)
{
  var a, b: int;
  assume n > 0 && m > 0;
  a := n;
  b := m;
  while (a != b) {
    if (a > b) { a := a - b; } else { b := b - a; }
    assert a > 0 && b > 0;
  }
  assert a > 0;
}
