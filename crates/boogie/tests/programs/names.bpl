// Names of every kind of letter, and keywords as names.
var x', y~z, #hash, $dollar, caret^, _underscore, dot.ted.name, query?, back`tick: int;
var \var, \procedure, \int, \RNE, \div: int;
var \not_reserved: int;
var left, right, both, atomic, hide, reveal, push, pop, measure, action, creates, pure: int;
type \type \axiom;
function \function(\assert: int): int { \assert + \var }
procedure {:\if} \call(\return: \type int) returns (\returns: int)
{
  \while:
  hide := left;
  push := pop + #hash;
  call \returns := \call(\return);
  goto \while;
}
