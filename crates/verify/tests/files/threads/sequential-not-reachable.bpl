// lariat verify
// expect: bug 9:5 assertion
procedure corral_atomic_begin();
procedure corral_atomic_end();
procedure corral_assert_not_reachable();
procedure main(x: int)
{
  if (x == 3) {
    call corral_assert_not_reachable();
  }
}
