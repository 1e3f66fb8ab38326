// With one thread, nothing happens.
// lariat verify
// expect: proved
procedure main()
{
  yield;
  assert true;
}
