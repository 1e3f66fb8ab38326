// The elements of a map are restricted by a procedure that is called first, as Corral's `corralExtraInit` does it.
// lariat verify
// expect: bug 17:3 assertion
var routine: [int]int;
var level: int;
procedure init()
{
  assume 0 < level;
  assume (forall x: int :: {routine[x]} routine[x] <= 0 || routine[x] > 1069);
}
procedure main(p: int)
  modifies routine, level;
{
  level := level + 1;
  call init();
  assume routine[p] > 5;
  assert routine[p] == 2000;
}
