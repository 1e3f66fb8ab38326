
#ifdef LARIAT_KEEP_POINTERS
#define lariat_memory(pointer) (pointer)
LARIAT_PLAIN static void lariat_fresh(unsigned long long address, void *object, unsigned long size) {}
#else
#define LARIAT_BLOCK 0x8000
#define LARIAT_BLOCKS 256
#define LARIAT_KNOWN 1024
static char lariat_blocks[LARIAT_BLOCKS + 1][LARIAT_BLOCK] __attribute__((aligned(4096)));
static unsigned lariat_block_count, lariat_known_count;
static struct {
    unsigned long long address;
    unsigned long size;
    char *object;
} lariat_known[LARIAT_KNOWN];
static unsigned long lariat_memory(unsigned long pointer);

/* An object that the trace has at `address` is at `object`: it gets the content that the trace found there. */
LARIAT_PLAIN static void lariat_fresh(unsigned long long address, void *object, unsigned long size)
{
    unsigned i, byte;
    if (lariat_known_count < LARIAT_KNOWN) {
        lariat_known[lariat_known_count].address = address;
        lariat_known[lariat_known_count].size = size;
        lariat_known[lariat_known_count++].object = object;
    }
    for (i = 0; lariat_cells[i].bytes; i++) {
        unsigned long long offset = lariat_cells[i].address - address;
        unsigned long long value = lariat_cells[i].value;
        if (lariat_cells[i].address < address || offset + lariat_cells[i].bytes > size)
            continue;
        if (lariat_cells[i].pointer)
            value = lariat_memory((unsigned long)value);
        for (byte = 0; byte < lariat_cells[i].bytes; byte++)
            ((char *)object)[offset + byte] = (char)(value >> 8 * byte);
    }
}

/* Where an address of the trace is. Only null is kept: some memory is behind every other. Where the trace itself goes through
   null, because nothing checks it, another pointer does the same in a real program: LARIAT_MEMORY_AT_NULL. */
LARIAT_PLAIN static unsigned long lariat_memory(unsigned long pointer)
{
    unsigned i;
    unsigned long page = pointer & ~4095UL;
#ifndef LARIAT_MEMORY_AT_NULL
    if (pointer == 0)
        return pointer;
#endif
    for (i = 0; i < lariat_known_count; i++)
        if (pointer >= lariat_known[i].address && pointer - lariat_known[i].address <= lariat_known[i].size)
            return (unsigned long)(lariat_known[i].object + (pointer - lariat_known[i].address));
    if (lariat_block_count == LARIAT_BLOCKS)
        return pointer;
    i = lariat_block_count++;
    lariat_fresh(page, lariat_blocks[i], LARIAT_BLOCK);
    return (unsigned long)(lariat_blocks[i] + (pointer - page));
}
#endif
