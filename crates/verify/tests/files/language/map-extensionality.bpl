// Writing what is there already changes nothing.
// lariat verify
// expect: proved
procedure main(m: [int]int, i: int)
{
  assert m[i := m[i]] == m;
}
