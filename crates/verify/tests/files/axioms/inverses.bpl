// Conversions to a type without a meaning and back: solvers find no model of these axioms, but there is one.
// lariat verify
// expect: bug 12:3 assertion
type real_number;
function to_real(x: int): real_number;
function of_real(x: real_number): int;
axiom (forall x: int :: of_real(to_real(x)) == x);
axiom (forall x: real_number :: to_real(of_real(x)) == x);
procedure main(x: int)
{
  assume (forall y: int :: y * y >= 0);
  assert x != 7;
}
