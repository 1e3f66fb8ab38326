var g: int;
var {:scalar} h, k: int where h > 0, flag: bool;

procedure {:entrypoint} declared(x: int where x > 0, y: bool) returns (z: int where z < 0, {:result} w: bool);
  requires x > 0;
  free requires {:msg "given"} y;
  modifies g, h;
  modifies;
  free modifies k;
  ensures {:msg "kept"} z == old(g);
  free ensures w;

implementation {:verify false} declared(x: int, y: bool) returns (z: int, w: bool)
{
  z, w := x, y;
}

procedure generic<t>(x: t) returns (y: t)
  ensures x == y;
{
  y := x;
}

implementation generic<s>(a: s) returns (b: s)
{
  b := a;
}

pure procedure lemma(n: int)
  requires n >= 0;
  measure {:order} n, flag;
{
}

procedure empty();

procedure inlined() { }
