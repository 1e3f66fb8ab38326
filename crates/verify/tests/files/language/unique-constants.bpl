// lariat verify
// expect: proved
type Color;
const unique red: Color;
const unique green: Color;
const other: Color;
procedure main()
{
  assert red != green;
  assume other == red;
  assert other != green;
}
