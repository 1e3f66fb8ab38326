// A flag in a bit vector is set in the loop and never cleared.
// lariat verify --bound 2
// expect: bounded(2): loop in main 8:3
procedure main()
{
  var flags: bv8;
  flags := 1bv8;
  while (*) {
    if (*) { flags := 3bv8; } else if (flags == 3bv8) { flags := 1bv8; }
  }
  assert flags == 1bv8 || flags == 3bv8;
}
