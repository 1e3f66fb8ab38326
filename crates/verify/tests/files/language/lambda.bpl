// lariat verify
// expect: proved
procedure main(n: [int]int, i: int, k: int)
{
  var m: [int]int;
  m := (lambda j: int :: if j < k then n[j] else 0);
  assert i < k ==> m[i] == n[i];
  assert m[k] == 0;
}
