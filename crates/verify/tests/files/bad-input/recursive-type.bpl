// lariat verify
// expect: bad-input 3:15 recursive-synonym
type T = [int]T;
procedure main(x: T) { assert true; }
