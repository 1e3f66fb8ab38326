var g: int;
var m: [int][int]int;
function spec(x: int) returns (bool);

procedure callee(x: int, y: bool) returns (a: int, b: bool);

procedure unstructured(n: int) returns (r: int)
{
  var {:local} i: int, j: int where j >= 0;
  var done: bool;

entry:
  i, done := 0, false;
  goto loop, exit;
loop:
  assert {:id "bound"} i <= n;
  assume {:partition} i < n;
  i := i + 1;
  goto {:likely} loop, exit;
exit:
  havoc j, done;
  r := j;
  return;
last:
  return {:never};
trailing_label:
}

procedure structured(n: int) returns (r: int)
{
  var x, y: int, b: bool;

  if (n > 0) {
    r := 1;
  } else if (*) {
    r := 2;
  } else if {:unlikely} (n < -5) {
  } else {
    r := 3;
  }
  if (n == 0) { }
  outer:
  while (x < n)
    invariant 0 <= x;
    free invariant {:attr} x <= n;
    measure n - x, b;
  {
    while (*) {
      if (b) {
        break;
      }
      break outer;
    }
    x := x + 1;
  }
  call callee(x, b);
  call x, b := callee(x + 1, !b);
  call {:cexpr "x"} x, b := callee(*, *);
  call *, b := callee(x, *);
  call forall callee(*, true);
  async call callee(1, true);
  free call x, b := callee(1, true);
  async free call {:both} callee(1, true);
  m[x][y] := 5;
  m[0], x := {:parallel} m[1], y;
  hide spec;
  reveal *;
  push;
  hide *;
  reveal spec;
  pop;
}
