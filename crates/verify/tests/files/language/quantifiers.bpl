// lariat verify
// expect: proved
procedure main(m: [int]int, k: int)
{
  assume (forall i: int :: {m[i]} m[i] >= 0);
  assert m[k] + m[k + 1] >= 0;
  assert !(exists i: int :: {m[i]} m[i] < 0 && i == k);
}
