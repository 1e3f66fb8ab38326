// lariat verify --summaries on --bound 3
// expect: bug 21:3 assertion
var x: int;

procedure {:template} {:entrypoint} summaries();
  free requires x == 0;
  free ensures x < 5;
  ensures false;

procedure step()
  modifies x;
{
  if (*) { x := x + 3; call step(); }
}

procedure main()
  modifies x;
{
  x := 0;
  call step();
  assert x < 5;
}
