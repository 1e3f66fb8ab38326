// lariat verify
// expect: bad-input 4:27 misplaced-old
var g: int;
function f(x: int): int { old(x) }
procedure main() { assert f(1) == 1; }
