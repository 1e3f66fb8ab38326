// Without assertions the question is whether the entry can return.
// lariat verify
// expect: bug 4:1 entry-returns
procedure main(x: int)
{
  assume x > 3;
  assume x < 5;
}
