// A driver that serves requests under a lock, and forgets the lock on one path.
//
// Lariat answers: bug. The first request stays pending, `ServeRequest` returns with the lock held,
// and the second round of the loop in `main` acquires it again, two calls further down.
//
//     cargo run --release -- verify examples/lock.bpl        (exit code 1)

const unique STATUS_DONE: int;
const unique STATUS_PENDING: int;

var lockHeld: bool;
var served: int;

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

// The device is not part of the program: it may answer either way.
procedure StartDevice(request: int) returns (status: int);
  ensures status == STATUS_DONE || status == STATUS_PENDING;

procedure BeginRequest(request: int) returns (status: int)
  modifies lockHeld;
{
  call AcquireLock();
  call status := StartDevice(request);
}

procedure ServeRequest(request: int)
  modifies lockHeld, served;
{
  var status: int;

  call status := BeginRequest(request);
  if (status == STATUS_PENDING) {
    // Whoever completes the request later was meant to release the lock.
    return;
  }
  served := served + 1;
  call ReleaseLock();
}

procedure main(requests: int)
  modifies lockHeld, served;
{
  var next: int;

  lockHeld := false;
  served := 0;
  next := 0;
  while (next < requests) {
    call ServeRequest(next);
    next := next + 1;
  }
}
