// lariat verify --bound 4
// expect: bug 15:3 assertion
procedure main(c: bool)
{
  var x: int;
  x := 0;
  if (c) { goto inside; }
  head:
    x := x + 1;
    goto inside, end;
  inside:
    x := x + 10;
    goto head, end;
  end:
  assert x != 22;
}
