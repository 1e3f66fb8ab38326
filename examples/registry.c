/* A registry of devices, without its callers and its environment:
 *     lariat angelic examples/registry.c
 * One use of a null pointer is a bug whatever the rest of the system does; the others are fine in any sensible system. */
#include <stddef.h>

struct driver { int (*probe)(int id); const char *name; };
struct device { int id; struct driver *driver; struct device *next; };

struct device *first_device;
struct driver *driver_for(int id); /* elsewhere */
void log_missing(int id);          /* elsewhere */

struct device *find_device(int id)
{
    struct device *device = first_device;
    while (device != NULL && device->id != id)
        device = device->next;
    return device;
}

/* The caller must not pass null, and who makes a device must give it a driver: sensible. */
int probe(struct device *device)
{
    return device->driver->probe(device->id);
}

/* driver_for must know every device: sensible. */
void attach(struct device *device)
{
    device->driver = driver_for(device->id);
    if (device->driver->name == NULL)
        log_missing(device->id);
}

/* find_device returns null for an unknown id, and the message below shows that this happens. */
int reattach(int id)
{
    struct device *device = find_device(id);
    if (device == NULL)
        log_missing(id);
    attach(device);
    return device->id;
}
