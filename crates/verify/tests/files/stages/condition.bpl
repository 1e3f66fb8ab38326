// lariat verify
// expect: bug 9:3 assertion
// show: passive
// show: vc
procedure main(x: int)
{
  var y: int;
  if (x > 0) { y := x; } else { y := -x; }
  assert y != 3;
}
// ---- passive
// passive main(x#0) returns () {
// pblock0:
//   to pblock2
//   to pblock1
// pblock1:
//   assume (<= x 0)
//   to pblock3 y#3 = (* (- 1) x)
// pblock2:
//   assume (< 0 x)
//   to pblock3 y#3 = x
// pblock3:
//   assume (= 3 y)
//   return
// }
// ---- vc
// vc main entry b0#4
//   (or (not b0) b3)
//   (or (not b0) b2 b1)
//   (or (not b1) (and (<= x 0) b3 (= (* (- 1) x) y)))
//   (or (not b2) (and (< 0 x) b3 (= x y)))
//   (or (not b3) (= 3 y))
