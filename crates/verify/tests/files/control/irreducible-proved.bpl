// lariat verify --bound 4
// expect: bounded(4): loop in main
procedure main(c: bool)
{
  var x: int;
  x := 0;
  goto a, b;
  a:
    x := x + 2;
    goto b, end;
  b:
    x := x + 2;
    goto a, end;
  end:
  assert x mod 2 == 0;
}
