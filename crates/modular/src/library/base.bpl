// The library of `-lib:base`: maps by elements, options, sets, finite maps, vectors and sequences. It is written for
// Lariat from the names and types of Boogie's library. Sequences are finite maps here, not the solver's own theory.

// ---- maps, element by element

function {:builtin "MapConst"} MapConst<T, U>(value: U): [T]U;
function {:builtin "MapEq"} MapEq<T, U>(a: [T]U, b: [T]U): [T]bool;
function {:builtin "MapIte"} MapIte<T, U>(which: [T]bool, a: [T]U, b: [T]U): [T]U;
function {:builtin "MapOr"} MapOr<T>(a: [T]bool, b: [T]bool): [T]bool;
function {:builtin "MapAnd"} MapAnd<T>(a: [T]bool, b: [T]bool): [T]bool;
function {:builtin "MapNot"} MapNot<T>(a: [T]bool): [T]bool;
function {:builtin "MapImp"} MapImp<T>(a: [T]bool, b: [T]bool): [T]bool;
function {:builtin "MapIff"} MapIff<T>(a: [T]bool, b: [T]bool): [T]bool;
function {:builtin "MapAdd"} MapAdd<T>(a: [T]int, b: [T]int): [T]int;
function {:builtin "MapSub"} MapSub<T>(a: [T]int, b: [T]int): [T]int;
function {:builtin "MapMul"} MapMul<T>(a: [T]int, b: [T]int): [T]int;
function {:builtin "MapDiv"} MapDiv<T>(a: [T]int, b: [T]int): [T]int;
function {:builtin "MapMod"} MapMod<T>(a: [T]int, b: [T]int): [T]int;
function {:builtin "MapGt"} MapGt<T>(a: [T]int, b: [T]int): [T]bool;
function {:builtin "MapGe"} MapGe<T>(a: [T]int, b: [T]int): [T]bool;
function {:builtin "MapLt"} MapLt<T>(a: [T]int, b: [T]int): [T]bool;
function {:builtin "MapLe"} MapLe<T>(a: [T]int, b: [T]int): [T]bool;

function {:inline} MapOne<T>(t: T): [T]bool { MapConst(false)[t := true] }
function {:inline} MapDiff<T>(a: [T]bool, b: [T]bool): [T]bool { MapAnd(a, MapNot(b)) }
function {:inline} ToMultiset<T>(set: [T]bool): [T]int { MapIte(set, MapConst(1), MapConst(0)) }
function {:inline} IsDisjoint<T>(a: [T]bool, b: [T]bool): bool { MapAnd(a, b) == MapConst(false) }
function {:inline} IsSubset<T>(a: [T]bool, b: [T]bool): bool { MapImp(a, b) == MapConst(true) }

function {:inline} Id<T>(t: T): T { t }

// Some value of each type, always the same.
function Default<T>(): T;

function Choice<T>(a: [T]bool): T;
axiom (forall<T> a: [T]bool :: {Choice(a)} a == MapConst(false) || a[Choice(a)]);

// ---- options

datatype Unit { Unit() }
datatype Option<T> { None(), Some(t: T) }

// ---- sets

datatype Set<T> { Set(val: [T]bool) }

function {:inline} Set_Empty<T>(): Set T { Set(MapConst(false)) }
function {:inline} Set_Contains<T>(a: Set T, t: T): bool { a->val[t] }
function {:inline} Set_IsSubset<T>(a: Set T, b: Set T): bool { IsSubset(a->val, b->val) }
function {:inline} Set_IsDisjoint<T>(a: Set T, b: Set T): bool { IsDisjoint(a->val, b->val) }
function {:inline} Set_Add<T>(a: Set T, t: T): Set T { Set(a->val[t := true]) }
function {:inline} Set_Singleton<T>(t: T): Set T { Set(MapOne(t)) }
function {:inline} Set_Remove<T>(a: Set T, t: T): Set T { Set(a->val[t := false]) }
function {:inline} Set_Union<T>(a: Set T, b: Set T): Set T { Set(MapOr(a->val, b->val)) }
function {:inline} Set_Difference<T>(a: Set T, b: Set T): Set T { Set(MapDiff(a->val, b->val)) }
function {:inline} Set_Intersection<T>(a: Set T, b: Set T): Set T { Set(MapAnd(a->val, b->val)) }
function {:inline} Set_Choose<T>(a: Set T): T { Choice(a->val) }

function Set_Size<T>(a: Set T): int;
axiom (forall<T> a: Set T :: {Set_Size(a)} Set_Size(a) >= 0);

// ---- finite maps

datatype Map<T, U> { Map(dom: Set T, val: [T]U) }

function {:inline} Map_Empty<T, U>(): Map T U { Map(Set(MapConst(false)), MapConst(Default())) }
function {:inline} Map_Singleton<T, U>(t: T, u: U): Map T U { Map_Update(Map_Empty(), t, u) }
function {:inline} Map_Contains<T, U>(a: Map T U, t: T): bool { Set_Contains(a->dom, t) }
function {:inline} Map_IsDisjoint<T, U>(a: Map T U, b: Map T U): bool { Set_IsDisjoint(a->dom, b->dom) }
function {:inline} Map_At<T, U>(a: Map T U, t: T): U { a->val[t] }
function {:inline} Map_Remove<T, U>(a: Map T U, t: T): Map T U {
  Map(Set_Remove(a->dom, t), a->val[t := Default()])
}
function {:inline} Map_Update<T, U>(a: Map T U, t: T, u: U): Map T U { Map(Set_Add(a->dom, t), a->val[t := u]) }
function {:inline} Map_Swap<T, U>(a: Map T U, t1: T, t2: T): Map T U {
  (var u1, u2 := Map_At(a, t1), Map_At(a, t2); Map_Update(Map_Update(a, t1, u2), t2, u1))
}
function {:inline} Map_Extract<T, U>(a: Map T U, t: Set T): Map T U {
  Map(Set_Intersection(t, a->dom), MapIte(t->val, a->val, MapConst(Default())))
}
function {:inline} Map_Exclude<T, U>(a: Map T U, t: Set T): Map T U {
  Map(Set_Difference(a->dom, t), MapIte(t->val, MapConst(Default()), a->val))
}
function {:inline} Map_Union<T, U>(a: Map T U, b: Map T U): Map T U {
  Map(Set_Union(a->dom, b->dom), MapIte(a->dom->val, a->val, b->val))
}

// ---- vectors: beyond the length an element is `Default()`, so that equal vectors are equal. The axioms hold of what these
// functions make, so the constructor is not for users.

datatype Vec<T> { Vec_Parts(contents: [int]T, len: int) }

axiom (forall<T> v: Vec T :: {v->len} v->len >= 0);
axiom (forall<T> v: Vec T, i: int :: {v->contents[i]} (0 <= i && i < v->len) || v->contents[i] == Default());

function {:inline} Vec_Empty<T>(): Vec T { Vec_Parts(MapConst(Default()), 0) }
function {:inline} Vec_Len<T>(v: Vec T): int { v->len }
function {:inline} Vec_Nth<T>(v: Vec T, i: int): T { v->contents[i] }
function {:inline} Vec_Contains<T>(v: Vec T, i: int): bool { 0 <= i && i < v->len }
function {:inline} Vec_Append<T>(v: Vec T, x: T): Vec T { Vec_Parts(v->contents[v->len := x], v->len + 1) }
function {:inline} Vec_Update<T>(v: Vec T, i: int, x: T): Vec T {
  if 0 <= i && i < v->len then Vec_Parts(v->contents[i := x], v->len) else v
}
function {:inline} Vec_Swap<T>(v: Vec T, i: int, j: int): Vec T {
  if 0 <= i && i < v->len && 0 <= j && j < v->len
  then Vec_Parts(v->contents[i := v->contents[j]][j := v->contents[i]], v->len)
  else v
}
function {:inline} Vec_Remove<T>(v: Vec T): Vec T {
  if 0 < v->len then Vec_Parts(v->contents[v->len - 1 := Default()], v->len - 1) else v
}
function {:inline} Vec_Slice<T>(v: Vec T, i: int, j: int): Vec T {
  (var is_slice := 0 <= i && i < j && j <= v->len;
    Vec_Parts((lambda k: int :: if is_slice && 0 <= k && k < j - i then v->contents[i + k] else Default()),
        if is_slice then j - i else 0))
}
function {:inline} Vec_Concat<T>(v: Vec T, w: Vec T): Vec T {
  Vec_Parts((lambda k: int ::
         if 0 <= k && k < v->len then v->contents[k]
         else if v->len <= k && k < v->len + w->len then w->contents[k - v->len]
         else Default()),
      v->len + w->len)
}
// A place where two vectors of one length differ, if they do.
pure procedure Vec_Ext<T>(v: Vec T, w: Vec T) returns (i: int);
  ensures v == w || v->len != w->len || (0 <= i && i < v->len && v->contents[i] != w->contents[i]);

// ---- sequences

datatype Seq<T> { Seq_Parts(elements: [int]T, length: int) }

axiom (forall<T> s: Seq T :: {s->length} s->length >= 0);
axiom (forall<T> s: Seq T, i: int :: {s->elements[i]} (0 <= i && i < s->length) || s->elements[i] == Default());

function {:inline} Seq_Empty<T>(): Seq T { Seq_Parts(MapConst(Default()), 0) }
function {:inline} Seq_Len<T>(s: Seq T): int { s->length }
function {:inline} Seq_Unit<T>(x: T): Seq T { Seq_Parts(MapConst(Default())[0 := x], 1) }
function {:inline} Seq_Nth<T>(s: Seq T, i: int): T { s->elements[i] }
function {:inline} Seq_Concat<T>(s: Seq T, t: Seq T): Seq T {
  Seq_Parts((lambda k: int ::
         if 0 <= k && k < s->length then s->elements[k]
         else if s->length <= k && k < s->length + t->length then t->elements[k - s->length]
         else Default()),
      s->length + t->length)
}
function {:inline} Seq_Extract<T>(s: Seq T, at: int, count: int): Seq T {
  (var have := if 0 <= at && at < s->length && 0 < count
               then (if at + count <= s->length then count else s->length - at)
               else 0;
    Seq_Parts((lambda k: int :: if 0 <= k && k < have then s->elements[at + k] else Default()), have))
}
