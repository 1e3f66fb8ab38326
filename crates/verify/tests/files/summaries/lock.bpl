// lariat verify --summaries on
// expect: proved
// The lock of [Corral12] §4.2 with its six candidates; the error is a variable, as the paper has it.
var s: int;
var error: bool;

procedure {:template} summaries();
  ensures old(s) == 0 ==> s == 0;
  ensures old(s) == 1 ==> s == 0;
  ensures old(s) == 0 ==> s == 1;
  ensures old(s) == 1 ==> s == 1;
  ensures old(s) == 0 ==> !error;
  ensures old(s) == 1 ==> !error;

procedure acquire()
  modifies s, error;
{
  error := s != 0;
  s := 1;
}

procedure release()
  modifies s, error;
{
  error := s != 1;
  s := 0;
}

procedure work()
  modifies s, error;
{
  call acquire();
  if (error) { return; }
  call release();
  if (error) { return; }
  if (*) { call work(); }
}

procedure main()
  modifies s, error;
{
  s := 0;
  error := false;
  call work();
  assert !error;
  call acquire();
  assert !error;
}
