// No assertion is reachable from the entry.
// lariat verify
// expect: unknown: nothing-checked: nothing was checked: the entry reaches none of the assertions
// expect: warning nothing-checked
procedure p(x: int) { assert x == 0; }
procedure main(x: int)
{
}
