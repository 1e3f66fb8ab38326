// Each implementation of the procedure may be executed.
// lariat verify
// expect: bug 11:3 assertion
procedure p() returns (r: int);
implementation p() returns (r: int) { r := 1; }
implementation p() returns (r: int) { r := 2; }
procedure main()
{
  var x: int;
  call x := p();
  assert x == 1;
}
