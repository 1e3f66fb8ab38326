// A count that is taken and given back in pairs.
// lariat verify --bound 2
// expect: bounded(2): recursion of visit
// expect: warning 6:11 completed-modifies
var count: int;
procedure retain() { count := count + 1; }
procedure release() { assert count > 0; count := count - 1; }
procedure visit(depth: int)
{
  call retain();
  if (depth > 0) { call visit(depth - 1); }
  call release();
}
procedure main(depth: int)
{
  count := 0;
  call visit(depth);
  assert count == 0;
}
