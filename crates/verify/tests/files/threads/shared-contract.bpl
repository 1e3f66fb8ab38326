// lariat verify --contexts 2
// expect: bad-input 10:3 unsupported-shared-contract
var x: int;
procedure task()
  modifies x;
{
  x := 1;
}
procedure check()
  requires x == 0;
{
  assert x == 0;
}
procedure main()
  modifies x;
{
  x := 0;
  async call task();
  call check();
}
