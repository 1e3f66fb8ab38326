// lariat verify
// expect: bad-input 5:3 civl-construct
procedure main()
{
  yield;
}
