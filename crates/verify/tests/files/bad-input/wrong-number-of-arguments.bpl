// lariat verify
// expect: bad-input 8:13 wrong-argument-count
// expect: bad-input 9:8 wrong-argument-count
procedure p(a: int) returns (r: int) { }
procedure main()
{
  var x: int;
  call x := p();
  call p(1);
  assert true;
}
