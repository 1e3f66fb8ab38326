// lariat verify
// expect: bad-input no-entry
procedure start() { assert true; }
