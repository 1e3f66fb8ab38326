// (12,3): Error: this assertion could not be proved
// finished with 0 verified, 1 error

procedure {:selective_checking} Only(x: int)
{
  assert x > 0;
  if (*) {
    assert x > 1;
    return;
  }
  assume {:start_checking_here} true;
  assert x > 2;
}
