// An index that wraps round stays in the buffer.
// lariat verify --bound 2
// expect: bounded(2): loop in main 15:3
// expect: warning 6:11 completed-modifies
var head: int;
procedure advance(size: int)
{
  head := head + 1;
  if (head == size) { head := 0; }
}
procedure main(size: int)
{
  assume size > 0;
  head := 0;
  while (*) {
    call advance(size);
    assert 0 <= head && head < size;
  }
}
