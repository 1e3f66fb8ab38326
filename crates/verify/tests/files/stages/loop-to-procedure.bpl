// A loop becomes a tail-recursive procedure.
// lariat verify
// expect: proved
// show: ir
// show: passes loops
procedure main(n: int)
{
  var i: int;
  i := 0;
  while (i < n && i < 2) {
    i := i + 1;
  }
  assert i <= 2;
}
// ---- ir
// proc main(n: Int) {
//   var i: Int
// block0:
//   i := 0
//   goto block1
// block1:
//   goto block2, block3
// block3:
//   assume (not (and (< i n) (< i 2)))
//   goto block4
// block4:
//   assert0 (<= i 2)
//   return
// block2:
//   assume (and (< i n) (< i 2))
//   i := (+ i 1)
//   goto block1
// }
// ---- passes loops
// proc main(n: Int) {
//   var i: Int
// block0:
//   i := 0
//   goto block1
// block1:
//   call i := main_loop_block1(n, i)
//   goto block2
// block2:
//   enter block3
//   assume (not (and (< i n) (< i 2)))
//   goto block3
// block3:
//   assert0 (<= i 2)
//   return
// }
// loop main_loop_block1(n: Int, i_in: Int) returns (i: Int) {
// block0:
//   i := i_in
//   goto block1, block2
// block2:
//   return
// block1:
//   enter block2
//   assume (and (< i n) (< i 2))
//   i := (+ i 1)
//   goto block3
// block3:
//   call i := main_loop_block1(n, i)
//   return
// }
