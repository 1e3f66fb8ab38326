// A map that only quantified assumes define, as SMACK's `memcpy` does it: the replay completes what the solver left open.
// lariat verify
// expect: bug 19:3 assertion
procedure copy(before: [int]int, source: [int]int, to: int, from: int, len: int) returns (new: [int]int)
{
  assume (forall x: int :: to <= x && x < to + len ==> new[x] == source[from - to + x]);
  assume (forall x: int :: x < to ==> new[x] == before[x]);
  assume (forall x: int :: to + len <= x ==> new[x] == before[x]);
}

procedure main(a: [int]int, b: [int]int)
{
  var c: [int]int;

  assume a[99] == 1;
  assume a[104] == 2;
  call c := copy(a, b, 100, 200, 4);
  assert c[99] == 1 && c[104] == 2;
  assert c[102] != 7;
}
