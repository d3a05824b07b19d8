// SPDX-License-Identifier: Apache-2.0
//
// Boost.Context's two functions in assembly (its boost/context/detail/fcontext.hpp), below all of its classes.
#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void *fcontext_t;
typedef struct {
  fcontext_t from;
  void *data;
} transfer_t;
fcontext_t make_fcontext(void *top, size_t bytes, void (*function)(transfer_t));
transfer_t jump_fcontext(fcontext_t to, void *data);

#ifdef __cplusplus
}
#endif
