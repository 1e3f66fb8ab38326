/* Lariat's <stdnoreturn.h>. */
#ifndef __lariat_stdnoreturn_h
#define __lariat_stdnoreturn_h
#define noreturn _Noreturn
#endif
