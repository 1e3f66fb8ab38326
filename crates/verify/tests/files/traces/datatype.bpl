// lariat verify
// expect: bug 12:3 assertion
// trace: 7 entry main
// trace: 11 o->value := 5;  o = Some(5)
// trace: 12 assert o == Some(4);  o = Some(5)
datatype Option { None(), Some(value: int) }
procedure main()
{
  var o: Option;
  o := Some(4);
  o->value := 5;
  assert o == Some(4);
}
