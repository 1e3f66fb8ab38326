// What a copy and a fill do to memory is said by quantifiers: the maps of the trace are corrected where the solver's are not right.
// lariat verify
// expect: bug 43:3 assertion
procedure fill(M: [int]int, dst: int, val: int, len: int) returns (R: [int]int);
implementation fill(M: [int]int, dst: int, val: int, len: int) returns (R: [int]int)
{
  assume (forall x: int :: dst <= x && x < dst + len ==> R[x] == val);
  assume (forall x: int :: x < dst ==> R[x] == M[x]);
  assume (forall x: int :: dst + len <= x ==> R[x] == M[x]);
}
procedure copy(D: [int]int, S: [int]int, dst: int, src: int, len: int) returns (R: [int]int);
implementation copy(D: [int]int, S: [int]int, dst: int, src: int, len: int) returns (R: [int]int)
{
  assume (forall x: int :: dst <= x && x < dst + len ==> R[x] == S[src - dst + x]);
  assume (forall x: int :: x < dst ==> R[x] == D[x]);
  assume (forall x: int :: dst + len <= x ==> R[x] == D[x]);
}
var memory: [int]int;
var other: [int]int;
procedure main(p: int, q: int, n: int)
  modifies memory, other;
{
  assume 100 < p && p + 40 < q && n < 30 && 10 < n;
  memory[p + 3] := 5;
  memory[q + 2] := 9;
  call memory := fill(memory, p, 7, n);
  call other := copy(other, memory, q, p, n);
  assert memory[p + 3] == 7;
  assert memory[q + 2] == 9;
  assert other[q + 3] == 7;
  if (other[q - 1] == 3)
  {
    call other := fill(other, q, 0, 4);
    goto last;
  }
  return;
last:
  // Only what was filled last has changed.
  assert other[q - 1] == 3;
  assert other[q + 4] == 7;
  assert other[q] == 0;
  // It is the 7 of the copy.
  assert other[q + 5] == 0;
}
