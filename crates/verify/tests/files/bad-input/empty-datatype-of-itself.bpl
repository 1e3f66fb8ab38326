// lariat verify
// expect: bad-input 3:10 datatype-without-values
datatype Endless { More(rest: Endless) }
procedure main(e: Endless) { assert true; }
