// An axiom without functions and constants: the type has one element.
// lariat verify
// expect: proved
type Unit;
axiom (forall a, b: Unit :: a == b);

procedure main(a: Unit, b: Unit)
{
  assert a == b;
}
