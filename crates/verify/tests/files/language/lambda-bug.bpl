// lariat verify
// expect: bug-unconfirmed 10:3 assertion
// unconfirmed: the values of a lambda are those of an axiom with a quantifier, and no finite map has them
procedure main(i: int)
{
  var m: [int]int;
  var k: int;
  k := 2;
  m := (lambda j: int :: j + k);
  assert m[i] != 7;
}
