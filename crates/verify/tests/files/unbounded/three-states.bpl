// A machine with three states that goes round and round.
// lariat verify --bound 2
// expect: bounded(2): loop in main 15:3
// expect: warning 6:11 completed-modifies
var state: int;
procedure step()
{
  if (state == 0) { state := 1; }
  else if (state == 1) { state := 2; }
  else { assert state == 2; state := 0; }
}
procedure main()
{
  state := 0;
  while (*) {
    call step();
  }
  assert 0 <= state && state <= 2;
}
