// lariat verify
// expect: bug 5:3 assertion
procedure main(x: int)
{
  assert |{ start: goto a, b;
            a: assume x > 0; return x != 4;
            b: assume x <= 0; return true; }|;
}
