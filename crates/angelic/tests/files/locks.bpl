// run: default --rule lock --exclude taken --exclude released
//   warning definite twice: call mutex_lock(l)
//   spec once: lock[l] == 0
//   spec twice: lock[l] == 0
// run: default --rule double-free --entry taken --entry released
//   warning definite released: call kfree(l)
type ref;
const NULL: ref;
procedure {:allocator} make() returns (l: ref);
procedure mutex_lock(l: ref);
procedure mutex_unlock(l: ref);
procedure mutex_trylock(l: ref) returns (ok: int);
procedure kfree(l: ref);

procedure once(l: ref) { call mutex_lock(l); call mutex_unlock(l); }
procedure twice(l: ref) { call mutex_lock(l); call mutex_lock(l); }
procedure tried(l: ref)
{
  var ok: int;
  call ok := mutex_trylock(l);
  if (ok != 0) { call mutex_unlock(l); }
}
procedure freshly()
{
  var l: ref;
  call l := make();
  call mutex_lock(l);
  call mutex_unlock(l);
}
procedure taken(l: ref) { call kfree(l); }
procedure released(l: ref) { assume l != NULL; call kfree(l); call kfree(l); }
