// [Angelic15] Fig. 6 (c): requests that must not be one and the same.
// run: default --entry DispatchRoutine --check assert
//   no warning
//   specs 3
// run: no-alias --entry DispatchRoutine --check assert
//   warning not-expressible IoCompleteRequest: completed != 1
// run: no-typestate --entry DispatchRoutine --check assert
//   no warning
//   specs 3
// typestate: completed
#include <assert.h>

typedef struct irp { int status; } IRP;
typedef struct { IRP *FlushIrp, *BlockIrp, *LockIrp; } DE;
typedef struct { DE *DeviceExtension; } DO;

int completed;
IRP *global_irp;

void IoCompleteRequest(IRP *p)
{
    if (p == global_irp) {
        assert(completed != 1);
        completed = 1;
    }
}

void DispatchRoutine(DO *devobj, IRP *irp)
{
    completed = 0;
    global_irp = irp;
    DE *de = devobj->DeviceExtension;
    IoCompleteRequest(de->FlushIrp);
    IoCompleteRequest(de->BlockIrp);
    IoCompleteRequest(de->LockIrp);
}
