// lariat verify
// expect: bug 8:3 assertion
procedure main(i: int)
{
  var m: [int]int;
  m := (lambda j: int :: 0);
  m[3] := 1;
  assert m[i] == 0;
}
