// run: default
//   warning inconsistent B: p != NULL
//   spec A: KeBugCheck does not return
const NULL: int;
procedure KeBugCheck(code: int);
procedure Log(code: int);
procedure A(p: int) { if (p == NULL) { call KeBugCheck(3); } assert p != NULL; }
procedure B(p: int) { if (p == NULL) { call Log(3); } assert p != NULL; }
