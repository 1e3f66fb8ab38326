// The axioms contradict each other.
// lariat verify
// expect: proved
// expect: warning 8:1 vacuous
const c: int;
axiom c > 0;
axiom c < 0;
procedure main()
{
  assert c == 4;
}
