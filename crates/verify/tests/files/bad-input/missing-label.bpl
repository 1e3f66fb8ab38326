// lariat verify
// expect: bad-input 5:8 undeclared-label
procedure main()
{
  goto nowhere;
  assert true;
}
