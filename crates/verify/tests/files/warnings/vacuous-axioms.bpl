// The axioms contradict each other.
// lariat verify
// expect: unknown: nothing-checked: nothing was checked: `main` can never be completed, because its assumptions contradict each other or every execution misuses memory in a way that is not checked
const c: int;
axiom c > 0;
axiom c < 0;
procedure main()
{
  assert c == 4;
}
