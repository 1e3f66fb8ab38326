// lariat verify --entry nobody
// expect: bad-input no-such-entry
procedure main() { assert true; }
