// An allocator hands out ever greater addresses.
// lariat verify --bound 2
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
