// A NaN is not equal to itself as IEEE 754 has it.
// lariat verify
// expect: bug 8:3 assertion
function {:builtin "fp.eq"} same_number(float24e8, float24e8) returns (bool);

procedure main(x: float24e8)
{
  assert same_number(x, x);
}
