// Two elements are enough for two variables that differ.
// lariat verify
// expect: bug 11:3 assertion
type Colour;
const red: Colour;
const blue: Colour;
axiom (forall c: Colour :: c == red || c == blue);

procedure main(a: Colour, m: [int]Colour)
{
  assert a == m[0];
}
