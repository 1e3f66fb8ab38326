// lariat verify
// expect: bad-input 6:5 duplicate-declaration
// expect: bad-input 8:11 duplicate-declaration
// expect: bad-input 7:21 duplicate-declaration
var g: int;
var g: bool;
procedure p(a: int, a: int) { }
procedure p() { }
procedure main() { assert true; }
