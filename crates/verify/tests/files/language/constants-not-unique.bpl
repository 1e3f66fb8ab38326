// lariat verify
// expect: bug 7:3 assertion
const a: int;
const b: int;
procedure main()
{
  assert a != b;
}
