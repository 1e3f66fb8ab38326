// The only assertion is in a block that nothing leads to.
// lariat verify
// expect: unknown: nothing-checked: nothing was checked: the entry reaches none of the assertions
// expect: warning nothing-checked
procedure main(x: int)
{
  start:
    return;
  never:
    assert x == 0;
    return;
}
