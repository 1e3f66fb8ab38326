// A queue with a capacity is neither overfull nor less than empty.
// lariat verify --bound 2
// expect: bounded(2): loop in main 13:3
// expect: warning 8:11 completed-modifies
var length: int;
const capacity: int;
axiom capacity > 0;
procedure push() { assert length < capacity; length := length + 1; }
procedure pop() { assert length > 0; length := length - 1; }
procedure main()
{
  length := 0;
  while (*) {
    if (length < capacity) { call push(); }
    else { call pop(); }
  }
  assert length >= 0;
}
