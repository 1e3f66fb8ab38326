// Each thread adds one, and one of the two is lost.
// lariat verify --contexts 2 --bound 1
// expect: bug 28:3 assertion
var x: int;
var done: [int]bool;
procedure corral_getThreadID() returns (id: int);
procedure task()
  modifies x, done;
{
  var t, id: int;
  t := x;
  x := t + 1;
  call id := corral_getThreadID();
  done[id] := true;
}
procedure main()
  modifies x, done;
{
  var a, b: int;
  x := 0;
  havoc done;
  assume (forall i: int :: !done[i]);
  async call a := task();
  async call b := task();
  assume done[a];
  assume done[b];
  // Joined.
  assert x == 2;
}
