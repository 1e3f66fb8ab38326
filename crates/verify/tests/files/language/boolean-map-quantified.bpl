// lariat verify
// expect: bug 8:3 assertion
procedure main(s: [int]bool, t: [int]bool)
{
  var u: [int]bool;
  havoc u;
  assume (forall i: int :: {u[i]} u[i] <==> s[i] || t[i]);
  assert u[1] ==> s[1];
}
