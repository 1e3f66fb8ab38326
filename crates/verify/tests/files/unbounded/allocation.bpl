// An allocator hands out ever greater addresses.
// lariat verify --bound 2
// expect: bounded(2): loop in main 17:3
// expect: warning 6:11 completed-modifies
var next: int;
procedure alloc(size: int) returns (p: int)
{
  assume size > 0;
  p := next;
  next := next + size;
}
procedure main()
{
  var first, p, size: int;
  next := 100;
  call first := alloc(4);
  while (*) {
    havoc size;
    call p := alloc(size);
    assert p > first;
  }
}
