// lariat verify --stack-depth 4
// expect: bug 5:23 assertion
procedure a(x: int) { call b(x); }
procedure b(x: int) { call c(x); }
procedure c(x: int) { assert x != 3; }
procedure main(x: int)
{
  call a(x);
}
