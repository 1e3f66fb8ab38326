// A flag in a bit vector is set in the loop and never cleared.
// lariat verify --bound 2
procedure main()
{
  var flags: bv8;
  flags := 1bv8;
  while (*) {
    if (*) { flags := 3bv8; } else if (flags == 3bv8) { flags := 1bv8; }
  }
  assert flags == 1bv8 || flags == 3bv8;
}
