// What proofs of smaller bounds teach keeps no bug from being found: the lock is taken twice in the second round.
// lariat verify --bound 3 --summaries off --summaries-from-proofs on
// expect: bug 16:35 assertion
var held: int;
procedure work(n: int) modifies held;
{
  var i: int;
  i := 0;
  while (i < n) {
    call take();
    if (i == 1) { call give(); call take(); call take(); }
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
