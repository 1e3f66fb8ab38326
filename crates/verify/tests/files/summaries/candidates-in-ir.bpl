// lariat verify --summaries on
// expect: proved
// show: ir
const {:existential true} b: bool;
var x: int;

procedure {:template} t();
  ensures x == old(x);

procedure p(n: int) returns (r: int)
  requires b ==> n > 0;
  ensures b ==> r > 0 && x == old(x);
{
  r := n;
  while (*)
    invariant n > 0 ==> b ==> r > old(x);
    invariant n == n;
  {
  }
}

procedure main()
{
  var r: int;
  call r := p(1);
  assert r > 0;
}
// ---- ir
// const b: Bool
// global x: Int
// proc p(n: Int) returns (r: Int) {
// block0:
//   r := n
//   assert0 true
//   goto block1
// block1:
//   assert1 true
//   goto block2, block3
// block3:
//   goto block4
// block4:
//   return
// block2:
//   goto block1
// }
// proc main() {
//   var r: Int
// block0:
//   call r := p(1)
//   assert2 (< 0 r)
//   return
// }
// candidate requires of p: (< 0 n)
// candidate ensures of p: (and (< 0 r) (= x |old(x)|))
// candidate ensures of *: (= x |old(x)|)
// candidate invariant of p: (or (<= n 0) (< |old(x)| r))
