var p, q: bool, x: int;
axiom p ⇔ q ≡ p;
axiom p ⇒ q;
axiom p ⇐ q;
axiom (p ∧ q) ∨ ¬p;
axiom x ≠ 1 && x ≤ 2 && x ≥ 3;
axiom (∀ y: int • y == y) && (∃ y: int :: y == x);
axiom (λ y: int • y + 1)[1] == 2;
