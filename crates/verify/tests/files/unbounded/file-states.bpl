// A file is opened, used any number of times and closed.
// lariat verify --bound 2
// expect: bounded(2): loop in main 13:3
// expect: warning 6:11 completed-modifies
var state: int;
procedure open() { assert state == 0; state := 1; }
procedure use() { assert state == 1; }
procedure close() { assert state == 1; state := 2; }
procedure main()
{
  state := 0;
  call open();
  while (*) {
    call use();
  }
  call close();
  assert state == 2;
}
