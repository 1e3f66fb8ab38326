// The second assertion cannot be the first that fails: whoever gets there has passed the first.
// lariat verify --all
// expect: bug 6:3 assertion
procedure main(x: int)
{
  assert x > 0;
  assert x >= 0;
}
