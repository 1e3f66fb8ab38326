// What is counted now and then is not counted more often than the loop runs.
// lariat verify --bound 2
// expect: bounded(2): loop in main 10:10
procedure main(n: int)
{
  var i, events: int;
  assume n >= 0;
  i := 0;
  events := 0;
  while (i < n) {
    if (*) { events := events + 1; }
    i := i + 1;
  }
  assert 0 <= events && events <= n;
}
