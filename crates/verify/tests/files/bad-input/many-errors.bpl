// lariat verify
// expect: bad-input 9:10 type-mismatch
// expect: bad-input 10:10 undeclared-variable
// expect: bad-input 11:10 type-mismatch
// expect: bad-input 12:28 type-mismatch
// expect: bad-input 13:3 misplaced-break
procedure main(x: int)
{
  assert x;
  assert y;
  assert x ++ x == x;
  assert (forall i: int :: i);
  break;
}
