/* What glibc has no functions for on a 32-bit machine: Lariat needs no such list. */
