// Two indices may be equal.
// lariat verify
// expect: bug 9:3 assertion
procedure main(i: int, j: int)
{
  var m: [int]int;
  m[i] := 1;
  m[j] := 2;
  assert m[i] == 1;
}
