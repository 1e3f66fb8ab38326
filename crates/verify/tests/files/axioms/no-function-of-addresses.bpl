// No function satisfies both assumptions: there is no execution, so nothing can fail. No term of the program says where to look.
// lariat verify
// expect: unknown: nothing-checked: nothing was checked: `main` can never be completed, because its assumptions contradict each other or every execution misuses memory in a way that is not checked
function base(address: int): int;
procedure main(p: int)
{
  assume (forall q: int :: {base(q)} p <= q && q < p + 8 ==> base(q) == p);
  assume (forall q: int :: {base(q)} p + 4 <= q && q < p + 12 ==> base(q) == p + 4);
  assert false;
}
