// Axioms that contradict each other allow no execution, also if no finite set of their instances shows it.
// lariat verify
// expect: bug-unconfirmed 9:3 assertion
// unconfirmed: no solver finds a model of axioms that have none, and a bug needs one
function f(x: int): int;
axiom (forall x: int :: {f(x)} f(x) > f(x + 1) && f(x) >= 0);
procedure main()
{
  assert false;
}
