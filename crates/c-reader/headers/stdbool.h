/* Lariat's <stdbool.h>. */
#ifndef __lariat_stdbool_h
#define __lariat_stdbool_h
#define __bool_true_false_are_defined 1
#if !defined __STDC_VERSION__ || __STDC_VERSION__ < 202311L
#define bool _Bool
#define true 1
#define false 0
#endif
#endif
