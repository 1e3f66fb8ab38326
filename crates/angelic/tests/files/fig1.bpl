// The running example of [Angelic15] (Fig. 1); its output is Fig. 3.
// run: default
//   warning inconsistent Bar: x != NULL
//   warning definite Baz: y != NULL
//   spec Baz: y != NULL
//   spec FooBar: Lib1() != NULL
//   spec FooBar: Lib2() != NULL
//   spec FooBar: Lib1() != Lib2() && m[Lib2()] != NULL
// run: no-explain
//   warning demonic Bar: x != NULL
//   warning demonic Baz: y != NULL
//   warning demonic FooBar: z != NULL
//   warning demonic FooBar: x != NULL
//   warning demonic FooBar: w != NULL

const NULL: int;
var gs: int;
var m: [int]int;

procedure Bar(x: int) modifies gs, m;
{
  if (x != NULL) { gs := 1; } else { gs := 2; }
  assert x != NULL;
  m[x] := 5;
}

procedure Baz(y: int) modifies m;
{
  assert y != NULL;
  m[y] := 4;
}

procedure Foo(z: int) modifies gs, m;
{
  call Bar(z);
  call Baz(NULL);
  call FooBar();
}

procedure FooBar() modifies m;
{
  var x: int, w: int, z: int;
  call z := Lib1();
  assert z != NULL;
  m[z] := NULL;
  call x := Lib2();
  assert x != NULL;
  w := m[x];
  assert w != NULL;
  m[w] := 4;
}

procedure Lib1() returns (r: int);
procedure Lib2() returns (r: int);
