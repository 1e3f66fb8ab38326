// Only what the precondition allows is known.
// lariat verify
// expect: bug-unconfirmed 12:3 assertion
// unconfirmed: what the call tells of the function is a quantifier, which has no end of points to check
procedure lemma(x: int);
  requires x > 0;
  ensures f(x) > x;
function f(x: int): int;
procedure main()
{
  call forall lemma(*);
  assert f(0) > 0;
}
