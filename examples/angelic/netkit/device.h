/* Devices: a layer as in drivers, with interrupt levels and queued requests. */
#ifndef NETKIT_DEVICE_H
#define NETKIT_DEVICE_H

#include "nk.h"

enum nk_device_state { NK_DEVICE_OFF = 0, NK_DEVICE_READY = 1, NK_DEVICE_BUSY = 2, NK_DEVICE_LOST = 3 };

struct nk_device;

struct nk_device_ops {
    int (*start)(unsigned port);
    int (*stop)(unsigned port);
    int (*transfer)(unsigned port, unsigned amount);
};

struct nk_irp {
    struct nk_irp *next; /* NULL at the end */
    unsigned amount;
    int status;
    int completed;
};

struct nk_extension {
    unsigned flags;
    unsigned interrupts;
    struct nk_irp *current; /* NULL if nothing is running */
};

struct nk_device {
    struct nk_lock lock;
    const struct nk_device_ops *ops; /* never NULL */
    struct nk_extension *extension;  /* never NULL once the device is attached */
    struct nk_irp *waiting;          /* NULL if nothing waits */
    struct nk_device *lower;         /* NULL for the lowest */
    unsigned port;
    int state;
};

struct nk_device *nk_device_create(const struct nk_device_ops *ops, unsigned port);
void nk_device_destroy(struct nk_device *device);
int nk_device_attach(struct nk_device *device, struct nk_device *lower);
int nk_device_start(struct nk_device *device);
int nk_device_stop(struct nk_device *device);
int nk_device_submit(struct nk_device *device, struct nk_irp *irp);
int nk_device_dispatch(struct nk_device *device);
void nk_device_complete(struct nk_device *device, int status);
int nk_device_interrupt(struct nk_device *device);
int nk_device_reset(struct nk_device *device);
unsigned nk_device_status(const struct nk_device *device);
void nk_device_enable(struct nk_device *device);
int nk_device_flush(struct nk_device *device);
void nk_device_leave(const struct nk_device *device, int level);
unsigned nk_device_depth(const struct nk_device *device);
const struct nk_device *nk_device_lowest(const struct nk_device *device);
int nk_device_transfer(struct nk_device *device, unsigned amount);
int nk_device_forward(struct nk_device *device, struct nk_irp *irp);
void nk_irp_init(struct nk_irp *irp, unsigned amount);
int nk_irp_result(const struct nk_irp *irp);
unsigned nk_device_cancel_all(struct nk_device *device);
void nk_device_swap_current(struct nk_device *left, struct nk_device *right);
unsigned nk_device_pending(const struct nk_device *device);

#endif
