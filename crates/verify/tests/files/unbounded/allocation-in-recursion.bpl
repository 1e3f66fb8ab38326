// Every object is allocated after the one of the caller.
// lariat verify --bound 2
// expect: bounded(2): recursion of build
// expect: warning 6:11 completed-modifies
var next: int;
procedure build(parent: int)
{
  var own: int;
  own := next;
  next := next + 1;
  assert own > parent;
  if (*) { call build(own); }
  if (*) { call build(own); }
}
procedure main()
{
  next := 1;
  call build(0);
  assert next > 1;
}
