// lariat verify
// expect: proved
type Field _;
const unique f: Field int;
const unique g: Field bool;
type Heap = <a>[Field a]a;
procedure main(h: Heap)
{
  var heap: Heap;
  heap := h;
  heap[f] := 3;
  heap[g] := true;
  assert heap[f] == 3 && heap[g];
}
