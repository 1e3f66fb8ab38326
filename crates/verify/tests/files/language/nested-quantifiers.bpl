// lariat verify
// expect: proved
procedure main()
{
  assert (forall x: int :: (exists y: int :: y > x));
}
