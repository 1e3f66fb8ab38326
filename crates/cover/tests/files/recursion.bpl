// A recursion that is cut: beyond the bound nothing is claimed.
// run: --runs 0 --bound 2
//   3 of 4 reached
//   bounded(2) 14 depth == 4 is true
// run: --runs 0 --bound 5
//   4 of 4 reached
procedure {:entrypoint} Main(n: int)
{
  call Down(n, 0);
}

procedure Down(n: int, depth: int)
{
  if (depth == 4) {
    assume n < 0;
  } else {
    call Down(n, depth + 1);
  }
}
