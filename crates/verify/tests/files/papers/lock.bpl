// lariat verify --bound 2
// expect: bounded(2): recursion of dispatch
// expect: warning 6:11 completed-modifies
// [Corral12] §4.2: acquire and release in strict alternation, in a driver that may go on for ever.
var s: int;
procedure main() { s := 0; call dispatch(); assert s == 0; }
procedure acquire() { assert s == 0; s := 1; }
procedure release() { assert s == 1; s := 0; }
procedure dispatch() {
  if (*) { call read(); } else { call write(); }
  if (*) { call dispatch(); }
}
procedure read() { call acquire(); if (*) { call release(); } else { call fail(); } }
procedure write() { call acquire(); if (*) { call fail(); } else { call release(); } call acquire(); call release(); }
procedure fail() { if (*) { call release(); } else { call release(); call acquire(); call release(); } }
