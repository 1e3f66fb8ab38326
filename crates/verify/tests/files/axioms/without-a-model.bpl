// Axioms that contradict each other allow no execution, also if no finite set of their instances shows it.
// lariat verify
// expect: unknown: solver: there may be no execution: no model of the axioms was found: they may contradict each other
function f(x: int): int;
axiom (forall x: int :: {f(x)} f(x) > f(x + 1) && f(x) >= 0);
procedure main()
{
  assert false;
}
