// Calls and returns are indented; what they change is shown.
// lariat verify
// expect: bug 31:3 assertion
// trace: 24 entry main
// trace: 28 balance := 10;  balance = 10
// trace: 29 call ok := withdraw(7);  amount = 7
// trace:   19 ok := balance >= amount;  ok = true
// trace:   20 ok is true
// trace:   21 balance := balance - amount;  balance = 3
// trace: 30 call ok := withdraw(3);  amount = 3
// trace:   19 ok := balance >= amount;  ok = true
// trace:   20 ok is true
// trace:   21 balance := balance - amount;  balance = 0
// trace: 31 assert balance > 0;  balance = 0
var balance: int;
procedure withdraw(amount: int) returns (ok: bool)
  modifies balance;
{
  ok := balance >= amount;
  if (ok) {
    balance := balance - amount;
  }
}
procedure main()
  modifies balance;
{
  var ok: bool;
  balance := 10;
  call ok := withdraw(7);
  call ok := withdraw(3);
  assert balance > 0;
}
