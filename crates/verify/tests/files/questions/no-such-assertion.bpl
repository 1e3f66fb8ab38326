// lariat verify --assert 99
// expect: bad-input no-such-assertion
procedure main() { assert true; }
