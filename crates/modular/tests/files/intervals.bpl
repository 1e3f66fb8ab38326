// flags: -infer:j
// (17,3): Error: this assertion could not be proved
// finished with 1 verified, 1 error

procedure Grows() {
  var a, b: int;
  a, b := 1, 1;
  while (*) { b := b * a; a := a + 2; }
  assert a >= 1 && b >= 1;
}

procedure Stays(n: int) {
  var m: int;
  m := n;
  assume 2 <= m && m <= 10 && m != 2;
  while (*) { m := m; } assert 3 <= m && m <= 10;
  assert m != 5;
}
