// A ring buffer in a map, with an off-by-one in its test for "full".
//
// Lariat answers: bug. `Enqueue` takes one element more than there are slots, the fourth element
// overwrites the first, and `main` gets it back in the first one's place.
//
//     cargo run --release -- verify examples/queue.bpl       (exit code 1)

type Element;

const CAPACITY: int;
axiom CAPACITY == 3;

var slots: [int]Element;
var first: int;
var count: int;

procedure Enqueue(element: Element) returns (accepted: bool)
  modifies slots, count;
{
  var slot: int;

  accepted := count <= CAPACITY; // must be `<`
  if (accepted) {
    slot := first + count;
    if (slot >= CAPACITY) {
      slot := slot - CAPACITY;
    }
    slots[slot] := element;
    count := count + 1;
  }
}

procedure Dequeue() returns (element: Element)
  modifies first, count;
{
  assert {:id "queue-is-not-empty"} count > 0;
  element := slots[first];
  first := first + 1;
  if (first == CAPACITY) {
    first := 0;
  }
  count := count - 1;
}

procedure main(elements: [int]Element)
  modifies slots, first, count;
{
  var index: int;
  var accepted: bool;
  var oldest: Element;

  first := 0;
  count := 0;
  index := 0;
  while (index < 4) {
    call accepted := Enqueue(elements[index]);
    index := index + 1;
  }
  call oldest := Dequeue();
  assert {:id "first-in-first-out"} oldest == elements[0];
}
