// lariat verify
// expect: unknown: nothing-checked: nothing was checked: `main` can never be completed, because its assumptions contradict each other or every execution misuses memory in a way that is not checked
procedure main(x: int)
{
  assume x > 0;
  assume x < 0;
  assert x == 17;
}
