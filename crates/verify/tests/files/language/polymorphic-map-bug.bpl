// lariat verify
// expect: bug 12:3 assertion
type Field _;
const f: Field int;
const g: Field int;
procedure main(h: <a>[Field a]a)
{
  var heap: <a>[Field a]a;
  heap := h;
  heap[f] := 3;
  heap[g] := 4;
  assert heap[f] == 3;
}
