// lariat verify
// expect: proved
datatype List { Nil(), Cons(head: int, tail: List) }
function len(l: List): int;
procedure main(l: List)
{
  var m: List;
  m := Cons(1, Cons(2, l));
  assert m is Cons;
  assert m->head == 1;
  assert m->tail->head == 2;
  m->head := 7;
  assert m->head == 7 && m->tail->tail == l;
  assert Cons(1, l) != Nil();
  assert (if l is Nil then true else l == Cons(l->head, l->tail));
}
