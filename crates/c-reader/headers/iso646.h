/* Lariat's <iso646.h>. */
#ifndef __lariat_iso646_h
#define __lariat_iso646_h
#define and &&
#define and_eq &=
#define bitand &
#define bitor |
#define compl ~
#define not !
#define not_eq !=
#define or ||
#define or_eq |=
#define xor ^
#define xor_eq ^=
#endif
