/* comments /* nest */ and may hold " quotes */
#line 100 elsewhere.bpl
#if DEFINED
this is not read "at all
#elsif !OTHER
var taken: int; // until the end of the line
  #if NESTED
  neither is this
  #else
var nested: int;
  #endif
#else
nor this
#endif
procedure main() { assert taken == nested; }
