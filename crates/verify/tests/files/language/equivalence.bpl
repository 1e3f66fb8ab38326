// lariat verify
// expect: proved
procedure main(p: bool, q: bool)
{
  assert (p <==> q) == (p == q);
  assert (p ==> q) <==> (q <== p);
  assert !(p && q) <==> !p || !q;
}
