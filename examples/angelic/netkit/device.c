/* Devices. Requests wait in a list behind the lock; registers are touched at dispatch level only. */
#include "device.h"

#define FIRST_USER_PORT 1024u
#define FLAG_ENABLED 1u
#define FLAG_ERROR 2u
#define REGISTER_STATUS 4u
#define REGISTER_COMMAND 8u

struct nk_device *nk_device_create(const struct nk_device_ops *ops, unsigned port)
{
    struct nk_device *device;
    struct nk_extension *extension;

    if (ops == NULL)
        return NULL;
    device = malloc(sizeof *device);
    if (device == NULL)
        return NULL;
    device->lock.word = 0;
    device->ops = ops;
    device->extension = NULL;
    device->waiting = NULL;
    device->lower = NULL;
    device->port = port;
    device->state = NK_DEVICE_OFF;
    if (port >= FIRST_USER_PORT)
        device->extension->flags = FLAG_ENABLED; /* B08 */
    extension = malloc(sizeof *extension);
    if (extension == NULL) {
        free(device);
        return NULL;
    }
    extension->flags = 0;
    extension->interrupts = 0;
    extension->current = NULL;
    device->extension = extension;
    return device;
}

void nk_device_destroy(struct nk_device *device)
{
    if (device == NULL)
        return;
    free(device->extension); /* E152 */
    free(device); /* E153 */
}

int nk_device_attach(struct nk_device *device, struct nk_device *lower)
{
    if (device == NULL || lower == NULL || device == lower)
        return NK_EINVAL;
    if (device->lower != NULL)
        return NK_EBUSY;
    device->lower = lower;
    return NK_OK;
}

int nk_device_start(struct nk_device *device)
{
    int result;

    if (device->state != NK_DEVICE_OFF) /* E154 */
        return NK_EBUSY;
    result = device->ops->start(device->port); /* E155 */
    if (result == NK_OK)
        device->state = NK_DEVICE_READY;
    return result;
}

int nk_device_stop(struct nk_device *device)
{
    const struct nk_device_ops *ops;
    int result;

    if (device == NULL)
        return NK_EINVAL;
    ops = device->ops;
    result = ops->stop(device->port); /* E156 */
    device->state = NK_DEVICE_OFF;
    return result;
}

void nk_irp_init(struct nk_irp *irp, unsigned amount)
{
    irp->next = NULL; /* E157 */
    irp->amount = amount;
    irp->status = NK_OK;
    irp->completed = 0;
}

int nk_irp_result(const struct nk_irp *irp)
{
    if (irp == NULL)
        return NK_EINVAL;
    if (!irp->completed)
        return NK_EBUSY;
    return irp->status;
}

int nk_device_submit(struct nk_device *device, struct nk_irp *irp)
{
    if (device == NULL || irp == NULL)
        return NK_EINVAL;
    if (device->state == NK_DEVICE_LOST)
        return NK_EIO;
    env_lock(&device->lock); /* E158 */
    irp->next = device->waiting;
    device->waiting = irp;
    env_unlock(&device->lock);
    return NK_OK;
}

/* Starts the next request if none is running. */
int nk_device_dispatch(struct nk_device *device)
{
    struct nk_irp *irp;
    struct nk_extension *extension;
    int level;

    env_lock(&device->lock); /* E159 */
    irp = device->waiting; /* E160 */
    extension = device->extension;
    if (irp == NULL) {
        env_unlock(&device->lock);
        return NK_EMISSING;
    }
    if (extension->current != NULL) { /* E161 */
        env_unlock(&device->lock);
        return NK_EBUSY;
    }
    device->waiting = irp->next;
    extension->current = irp;
    env_unlock(&device->lock);
    level = env_raise_irql(); /* E162 */
    env_register_write(device->port + REGISTER_COMMAND, irp->amount);
    env_lower_irql(level);
    return NK_OK;
}

void nk_device_complete(struct nk_device *device, int status)
{
    struct nk_extension *extension = device->extension; /* E163 */
    struct nk_irp *irp = extension->current; /* E164 */

    if (irp == NULL) {
        env_log(NK_WARN, "device: nothing to complete");
        return;
    }
    extension->current = NULL;
    irp->status = status;
    irp->completed = 1;
}

int nk_device_interrupt(struct nk_device *device)
{
    unsigned status;
    int level;

    level = env_raise_irql(); /* E165 */
    status = env_register_read(device->port + REGISTER_STATUS); /* E166 */
    device->extension->interrupts++; /* E167 */
    env_lower_irql(level);
    if (status & FLAG_ERROR) {
        nk_device_complete(device, NK_EIO);
        return NK_EIO;
    }
    nk_device_complete(device, NK_OK);
    return NK_OK;
}

int nk_device_reset(struct nk_device *device)
{
    int result = NK_OK;
    int level;

    if (device == NULL)
        return NK_EINVAL;
    level = env_raise_irql(); /* E168 */
    if (device->state >= NK_DEVICE_BUSY) {
        env_log(NK_WARN, "device: reset while it is busy");
        result = NK_EBUSY;
        env_lower_irql(level);
    } else {
        env_register_write(device->port + REGISTER_COMMAND, 0);
        device->state = NK_DEVICE_READY;
    }
    env_lower_irql(level); /* B20 */
    return result;
}

unsigned nk_device_status(const struct nk_device *device)
{
    unsigned status;
    int level;

    if (device == NULL)
        return FLAG_ERROR;
    level = env_raise_irql(); /* E169 */
    status = env_register_read(device->port + REGISTER_STATUS);
    env_lower_irql(level);
    return status;
}

void nk_device_enable(struct nk_device *device)
{
    struct nk_extension *extension = device->extension; /* E170 */

    extension->flags |= FLAG_ENABLED; /* E171 */
    if (device->state == NK_DEVICE_OFF)
        device->state = NK_DEVICE_READY;
}

/* Writes all waiting requests at once. */
int nk_device_flush(struct nk_device *device)
{
    const struct nk_irp *irp;
    unsigned amount = 0;
    int level;

    env_lock(&device->lock); /* E172 */
    for (irp = device->waiting; irp != NULL; irp = irp->next) /* E173 */
        amount += irp->amount;
    device->waiting = NULL;
    env_unlock(&device->lock);
    if (amount == 0)
        return NK_OK;
    level = env_raise_irql(); /* E174 */
    env_register_write(device->port + REGISTER_COMMAND, amount);
    env_lower_irql(level);
    return NK_OK;
}

/* The end of a critical part: the caller has raised the level. */
void nk_device_leave(const struct nk_device *device, int level)
{
    env_register_write(device->port + REGISTER_COMMAND, 0); /* E175 */
    env_lower_irql(level); /* E176 */
}

unsigned nk_device_depth(const struct nk_device *device)
{
    unsigned depth = 0;

    while (device != NULL) {
        depth++;
        device = device->lower;
    }
    return depth;
}

const struct nk_device *nk_device_lowest(const struct nk_device *device)
{
    const struct nk_device *lower;

    if (device == NULL)
        return NULL;
    lower = device->lower;
    while (lower != NULL) {
        device = lower;
        lower = device->lower;
    }
    return device;
}

int nk_device_transfer(struct nk_device *device, unsigned amount)
{
    int result;

    if (device == NULL || amount == 0)
        return NK_EINVAL;
    if (device->state != NK_DEVICE_READY)
        return NK_EBUSY;
    device->state = NK_DEVICE_BUSY;
    result = device->ops->transfer(device->port, amount); /* E177 */
    device->state = NK_DEVICE_READY;
    return result;
}

/* A request goes to the device below; the lowest keeps it. */
int nk_device_forward(struct nk_device *device, struct nk_irp *irp)
{
    struct nk_device *lower = device->lower; /* E178 */

    if (lower == NULL) {
        irp->next = device->waiting; /* E179 */
        device->waiting = irp;
        return NK_OK;
    }
    irp->next = lower->waiting; /* E180 */
    lower->waiting = irp;
    return NK_OK;
}

unsigned nk_device_cancel_all(struct nk_device *device)
{
    struct nk_irp *irp;
    unsigned count = 0;

    env_lock(&device->lock); /* E181 */
    irp = device->waiting; /* E182 */
    device->waiting = NULL;
    env_unlock(&device->lock);
    while (irp != NULL) {
        irp->status = NK_EDENIED;
        irp->completed = 1;
        irp = irp->next;
        count++;
    }
    return count;
}

/* Both devices have something running; both locks are held meanwhile. */
void nk_device_swap_current(struct nk_device *left, struct nk_device *right)
{
    struct nk_extension *first;
    struct nk_extension *second;
    struct nk_irp *irp;

    env_lock(&left->lock); /* E183 */
    env_lock(&right->lock); /* E184 */
    first = left->extension; /* E185 */
    second = right->extension; /* E186 */
    irp = first->current; /* E187 */
    first->current = second->current; /* E188 */
    second->current = irp;
    env_unlock(&right->lock);
    env_unlock(&left->lock);
}

unsigned nk_device_pending(const struct nk_device *device)
{
    const struct nk_irp *irp;
    unsigned count = 0;

    if (device == NULL)
        return 0;
    for (irp = device->waiting; irp != NULL; irp = irp->next)
        count++;
    return count;
}
