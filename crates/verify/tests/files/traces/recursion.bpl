// lariat verify
// expect: bug 9:3 assertion
// trace: 12 entry main
// trace: 14 call down(1);  n = 1
// trace:   10 call down(n - 1);  n = 0
// trace:     9 assert n > 0;  n = 0
procedure down(n: int)
{
  assert n > 0;
  call down(n - 1);
}
procedure main()
{
  call down(1);
}
