// Contracts become assumptions and assertions.
// lariat verify
// expect: proved
// show: ir
var g: int;
procedure inc(a: int)
  requires a > 0;
  modifies g;
  ensures g == old(g) + a;
{
  g := g + a;
}
procedure main()
  modifies g;
{
  call inc(2);
  assert g == old(g) + 2;
}
// ---- ir
// global g: Int
// proc inc(a: Int) {
//   var old(g): Int
// block0:
//   old(g) := g
//   assume (< 0 a)
//   g := (+ g a)
//   assert0 (= g (+ |old(g)| a))
//   return
// }
// proc main() {
//   var before(g): Int
//   var old(g): Int
// block0:
//   old(g) := g
//   assert1 true
//   before(g) := g
//   call inc(2)
//   assume (= g (+ |before(g)| 2))
//   assert2 (= g (+ |old(g)| 2))
//   return
// }
