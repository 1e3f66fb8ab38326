// lariat verify
// expect: bug 10:8 assertion
procedure main()
{
  var x: int;
  goto one, two, three;
  one: x := 1; goto end;
  two: x := 2; goto end;
  three: x := 3; goto end;
  end: assert x < 3;
}
