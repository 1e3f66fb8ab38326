// flags: -contractInfer -printAssignment
// Assignment computed by Houdini:
// b1 = True
// b2 = False
// finished with 1 verified, 0 errors

const {:existential true} b1: bool;
const {:existential true} b2: bool;

procedure Count() {
  var i: int;
  i := 0;
  while (i < 10)
    invariant b1 ==> 0 <= i && i <= 10;
    invariant b2 ==> i <= 5;
  {
    i := i + 1;
  }
  assert i == 10;
}
