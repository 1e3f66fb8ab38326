// lariat verify --stack-depth 3
// expect: bounded(3): call of c
procedure a(x: int) { call b(x); }
procedure b(x: int) { call c(x); }
procedure c(x: int) { assert x != 3; }
procedure main(x: int)
{
  call a(x);
}
