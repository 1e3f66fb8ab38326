// All elements of a map are restricted at the start: also those that no execution reads.
// lariat verify
// expect: bug 13:3 assertion
var routine: [int]int;
var level: [int]int;
procedure main(p: int)
  modifies routine;
{
  assume (forall x: int :: {routine[x]} routine[x] <= 0 || routine[x] > 1069);
  assume (forall x: int :: {level[x]} 7 < level[x] && level[x] < 10);
  assume routine[p] > 5 && level[p + 1] == 8;
  routine[p + 1] := level[p];
  assert routine[p + 1] == 8;
}
