// Assertions set the flag, and where it is set the entry returns.
// lariat verify
// expect: bug 14:3 assertion
// show: passes errors
procedure helper(a: int) returns (r: int)
{
  assert a > 0;
  r := a + 1;
}
procedure main(x: int)
{
  var y: int;
  call y := helper(x);
  assert y != 4;
}
// ---- passes errors
// global error: Bool
// proc helper(a: Int) returns (r: Int) {
// block0:
//   error := false
//   goto block1, block2
// block2:
//   assume (< 0 a)
//   r := (+ a 1)
//   return
// block1:
//   assume (<= a 0)
//   error := true
//   return
// }
// proc main(x: Int) {
//   var y: Int
// block0:
//   error := false
//   call y := helper(x)
//   goto block1, block2
// block2:
//   assume (not error)
//   goto block3, block4
// block4:
//   assume (not (= y 4))
//   assume error
//   return
// block3:
//   assume (= y 4)
//   error := true
//   return
// block1:
//   assume error
//   return
// }
