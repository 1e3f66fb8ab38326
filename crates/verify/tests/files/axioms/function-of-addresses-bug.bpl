// Assumptions quantify over a function that no axiom describes: the bug is one if there is a function of which all of them hold.
// lariat verify
// expect: bug 32:3 assertion
function base(address: int): int;
var next: int;
var freed: [int]bool;
procedure allocate(size: int) returns (p: int)
  modifies next;
{
  assume size > 0;
  p := next;
  havoc next;
  assume p + size <= next;
  assume (forall q: int :: {base(q)} p <= q && q < p + size ==> base(q) == p);
}
procedure release(p: int)
  modifies freed;
{
  freed[base(p)] := true;
}
procedure main()
  modifies next, freed;
{
  var a, b: int;
  assume next == 4096 && (forall i: int :: {freed[i]} !freed[i]);
  call a := allocate(16);
  call b := allocate(8);
  call release(a + 15);
  assert freed[a];
  assert !freed[b];
  call release(b + 7);
  assert !freed[b];
}
