// In a program that starts no thread the id is 1, whenever it is asked for.
// lariat verify
// expect: proved
procedure corral_getThreadID() returns (x: int);
procedure main()
{
  var a, b: int;
  call a := corral_getThreadID();
  call b := corral_getThreadID();
  assert a == b && a == 1;
}
