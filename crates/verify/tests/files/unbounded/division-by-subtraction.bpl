// Division as repeated subtraction leaves a remainder in its range.
// lariat verify --bound 2
// expect: bounded(2): loop in main 10:10
procedure main(n: int, d: int)
{
  var rest, quotient: int;
  assume n >= 0 && d > 0;
  rest := n;
  quotient := 0;
  while (rest >= d) {
    rest := rest - d;
    quotient := quotient + 1;
  }
  assert 0 <= rest && rest < d;
  assert quotient >= 0;
}
