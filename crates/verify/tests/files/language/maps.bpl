// Maps of several indices and maps of maps; updates do not disturb other places.
// lariat verify
// expect: proved
procedure main(i: int, j: int)
{
  var two: [int,bool]int;
  var nested: [int][int]int;
  two[i, true] := 1;
  two[i, false] := 2;
  assert two[i, true] == 1;
  nested[i][j] := 5;
  nested[i][j + 1] := 6;
  assert nested[i][j] == 5;
  assert nested[i] == nested[i][j := 5];
}
