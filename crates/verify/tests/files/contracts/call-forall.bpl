// lariat verify
// expect: proved
procedure lemma(x: int);
  requires x > 0;
  ensures f(x) > x;
function f(x: int): int;
procedure main()
{
  call forall lemma(*);
  assert f(3) > 3;
}
