// lariat verify
// expect: proved
// `==` compares values; IEEE's equality is the builtin.
function {:builtin "fp.eq"} same_number(float24e8, float24e8) returns (bool);

procedure main(x: float24e8)
{
  assert 0x0.0e0f24e8 != -0x0.0e0f24e8;
  assert same_number(0x0.0e0f24e8, -0x0.0e0f24e8);
  assert 0NaN24e8 == 0NaN24e8;
  assert !same_number(0NaN24e8, 0NaN24e8);
  assert x == x;
}
