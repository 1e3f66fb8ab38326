// lariat verify
// expect: bug 9:3 assertion
datatype Pair { Pair(left: int, right: int) }
procedure main(p: Pair)
{
  var q: Pair;
  q := p;
  q := q->(left := 3);
  assert q->right == 4;
}
