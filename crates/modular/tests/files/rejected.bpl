// (4,17): Error: undeclared variable `y`
// 1 name resolution errors detected in 

procedure P() { y := 3; }
