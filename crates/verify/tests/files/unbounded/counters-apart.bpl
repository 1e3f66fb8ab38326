// One counter grows as the other shrinks: their sum is kept.
// lariat verify --bound 2
// expect: bounded(2): loop in main 10:10
procedure main(n: int)
{
  var up, down: int;
  assume n >= 0;
  up := 0;
  down := n;
  while (down > 0) {
    up := up + 1;
    down := down - 1;
  }
  assert up == n;
}
