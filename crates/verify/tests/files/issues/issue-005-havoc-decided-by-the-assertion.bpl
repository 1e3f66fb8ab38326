// The value of the havoc is what makes the assertion fail.
// lariat verify
// expect: bug 10:3 assertion
procedure external(a: int) returns (r: int);
var g: int;
procedure main()
  modifies g;
{
  call g := external(0);
  assert 3 != g;
}
