// lariat verify
// expect: proved
function {:builtin "str.++"} concat(a: string, b: string): string;
function {:builtin "str.len"} length(a: string): int;
procedure main(s: string)
{
  assert length(concat(s, s)) == length(s) + length(s);
}
