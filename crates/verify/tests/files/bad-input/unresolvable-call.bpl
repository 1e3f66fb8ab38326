// lariat verify
// expect: bad-input 6:8 undeclared-procedure
// expect: bad-input 7:10 undeclared-variable
procedure main(x: int)
{
  call nobody(x);
  assert undeclared == x;
}
