// lariat verify --error-variable nothing
// expect: bad-input no-such-variable
var g: int;
procedure main() { assert true; }
