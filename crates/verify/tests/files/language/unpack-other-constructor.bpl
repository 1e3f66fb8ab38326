// Taking a value apart asserts that it has the constructor.
// lariat verify
// expect: bug 8:3 assertion
datatype Option { None(), Some(value: int) }
procedure main(o: Option)
{
  var x: int;
  Some(x) := o;
  assert x == o->value;
}
