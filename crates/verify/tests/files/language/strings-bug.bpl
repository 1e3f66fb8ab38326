// lariat verify
// expect: bug 6:3 assertion
function {:builtin "str.len"} length(a: string): int;
procedure main(s: string)
{
  assert length(s) != 2;
}
