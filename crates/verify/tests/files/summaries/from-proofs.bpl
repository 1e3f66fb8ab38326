// The loop leaves the lock as it was. Nothing is inferred before the search; the proof for bound 1 rests on the loop and what it calls.
// lariat verify --bound 1 --summaries off --summaries-from-proofs on
// expect: proved
var held: int;
procedure work(n: int) modifies held;
{
  var i: int;
  i := 0;
  while (i < n) {
    call take();
    if (*) { call give(); call take(); }
    call give();
    i := i + 1;
  }
}
procedure take() modifies held; { assert held == 0; if (*) { held := 1; } else { held := 2 - 1; } }
procedure give() modifies held; { assert held == 1; if (*) { held := 0; } else { held := 1 - 1; } }
procedure main(n: int) modifies held;
{
  held := 0;
  call work(n);
  if (*) { call work(n + 1); }
  assert held == 0;
}
