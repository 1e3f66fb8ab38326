// lariat verify
// expect: proved
function {:inline} square(x: int): int { x * x }
function abs(x: int): int { if x < 0 then -x else x }
function {:define} half(x: int): int { x div 2 }
procedure main(x: int)
{
  assert abs(-3) == 3;
  assert square(abs(x)) == square(x);
  assert half(5) == 2;
}
