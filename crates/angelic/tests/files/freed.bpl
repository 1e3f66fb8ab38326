// run: default --rule freed.avp
//   warning definite used_after: assume {:nonnull} p != NULL
//   warning definite freed_twice: call Free(p)
//   spec used: alive[p]
//   spec used_after: alive[p]
//   spec freed_twice: alive[p]
//   spec passed: alive[p]
const NULL: int;
var memory: [int]int;
procedure Free({:pointer} p: int);
procedure RtlFree({:pointer} p: int);
procedure send({:pointer} p: int, {:scalar} n: int);

procedure used({:pointer} p: int) { assume {:nonnull} p != NULL; memory[p] := 1; }

procedure used_after({:pointer} p: int)
{
  call Free(p);
  assume {:nonnull} p != NULL;
  memory[p] := 1;
}

procedure freed_twice({:pointer} p: int)
{
  assume p != NULL;
  call Free(p);
  call Free(p);
}

procedure passed({:pointer} p: int) { call RtlFree(p); call send(p, 3); }
