// lariat verify
// expect: proved
procedure main(x: int)
{
  assert |{ var y: int;
            start: y := x; goto positive, negative;
            positive: assume y >= 0; return y + 1 > 0;
            negative: assume y < 0; return y < 1; }|;
}
