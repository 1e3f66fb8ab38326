// The driver of `lock.bpl`, put right: the lock is released on every path.
//
// Lariat answers: proved. The device has four request slots, so the loop ends by itself and nothing
// is left beyond any bound.
//
//     cargo run --release -- verify examples/lock_ok.bpl     (exit code 0)

const unique STATUS_DONE: int;
const unique STATUS_PENDING: int;

var lockHeld: bool;
var served: int;
var pending: int;

procedure AcquireLock()
  modifies lockHeld;
{
  assert {:id "lock-is-free"} !lockHeld;
  lockHeld := true;
}

procedure ReleaseLock()
  modifies lockHeld;
{
  assert {:id "lock-is-held"} lockHeld;
  lockHeld := false;
}

procedure StartDevice(request: int) returns (status: int);
  ensures status == STATUS_DONE || status == STATUS_PENDING;

procedure ServeRequest(request: int)
  modifies lockHeld, served, pending;
{
  var status: int;

  call AcquireLock();
  call status := StartDevice(request);
  if (status == STATUS_PENDING) {
    pending := pending + 1;
    call ReleaseLock();
    return;
  }
  served := served + 1;
  call ReleaseLock();
}

procedure main()
  modifies lockHeld, served, pending;
{
  var slot: int;

  lockHeld := false;
  served := 0;
  pending := 0;
  slot := 0;
  while (slot < 4) {
    call ServeRequest(slot);
    slot := slot + 1;
  }
  assert {:id "lock-is-free-at-the-end"} !lockHeld;
  assert {:id "no-request-is-lost"} served + pending == 4;
}
