// An axiom limits how many elements a type has: three variables cannot differ.
// lariat verify
// expect: proved
type Colour;
const red: Colour;
const blue: Colour;
axiom (forall c: Colour :: c == red || c == blue);

procedure main(a: Colour, b: Colour, m: [int]Colour)
{
  assert a == b || b == m[0] || a == m[0];
}
