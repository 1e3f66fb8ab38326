// flags: -inline:spec
// (11,56): Error: this assertion could not be proved
// finished with 2 verified, 1 error

procedure {:inline 1} Down(n: int)
  requires n >= 0;
{
  if (n > 0) { call Down(n - 1); }
}
procedure Deep() { call Down(5); }
procedure {:inline 1} Fails(n: int) requires n >= 0; { assert n > 0; }
