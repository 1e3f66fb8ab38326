// lariat verify
// expect: bug 6:3 assertion
procedure main(m: [int]int, k: int)
{
  assume (forall i: int :: {m[i]} 0 <= i && i < 3 ==> m[i] == i);
  assert m[k] == k;
}
