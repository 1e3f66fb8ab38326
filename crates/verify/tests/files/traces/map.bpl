// Maps are shown at the indices used.
// lariat verify
// expect: bug 13:3 assertion
// trace: 8 entry main
// trace: 11 m[2] := 5;  m[2] = 5
// trace: 12 m[7] := m[2] + 1;  m[7] = 6
// trace: 13 assert m[7] == 5;  m[7] = 6
procedure main()
{
  var m: [int]int;
  m[2] := 5;
  m[7] := m[2] + 1;
  assert m[7] == 5;
}
