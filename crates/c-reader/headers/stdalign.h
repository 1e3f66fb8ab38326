/* Lariat's <stdalign.h>. */
#ifndef __lariat_stdalign_h
#define __lariat_stdalign_h
#define alignas _Alignas
#define alignof _Alignof
#define __alignas_is_defined 1
#define __alignof_is_defined 1
#endif
