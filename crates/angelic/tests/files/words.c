// run: default --check div-by-zero --atom _->parts,!=,_
//   spec part: b->parts != 0
//   warning not-expressible even: b->size / (b->parts % 2)
// run: default --check div-by-zero --atom _->parts,%,2,!=,0
//   warning not-expressible part: b->size / b->parts
//   spec even: b->parts % 2 != 0
struct box { int size; unsigned parts; };
unsigned part(struct box *b) { return b->size / b->parts; }
unsigned even(struct box *b) { return b->size / (b->parts % 2); }
