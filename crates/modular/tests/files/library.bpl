// flags: -lib:base
// (20,3): Error: this assertion could not be proved
// finished with 1 verified, 1 error

procedure Vectors(v: Vec int, x: int) {
  var w: Vec int;
  w := Vec_Append(v, x);
  assert Vec_Len(w) == Vec_Len(v) + 1;
  assert Vec_Nth(w, Vec_Len(v)) == x;
  assert Vec_Slice(w, 0, Vec_Len(v)) == v || Vec_Len(v) == 0;
  assert Vec_Remove(w) == v;
  assert Vec_Concat(v, Vec_Append(Vec_Empty(), x)) == w;
}

procedure Sets(a: Set int) {
  var m: Map int bool;
  assert Set_Contains(Set_Add(a, 3), 3);
  m := Map_Update(Map_Empty(), 1, true);
  assert Map_Contains(m, 1) && !Map_Contains(m, 2);
  assert Set_Contains(a, 4);
}
