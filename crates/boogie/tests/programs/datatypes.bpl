datatype List<t> { Nil(), Cons(head: t, tail: List t) }
datatype {:tagged} Shape { Circle(radius: int), Box({:unit "mm"} width, height: int) }

function length<t>(list: List t) returns (int)
{
  if list is Nil then 0 else 1 + length(list->tail)
}

procedure walk(shape: Shape, list: List int) returns (result: int)
{
  var current: Shape, rest: List int, w, h: int;
  current, rest := shape, list;
  if (current is Box && !(current is Circle)) {
    Box(w, h) := current;
    Box(w, h) := {:checked} current;
    current->width := h;
    current := current->(height := w)->(width := current->height);
  }
  while (rest is Cons) {
    result := result + rest->head;
    rest := rest->tail;
  }
  assert (-result) is Nil == false;
}
