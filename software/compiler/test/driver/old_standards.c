/* SPDX-License-Identifier: Apache-2.0 */
/* The headers of the runtime in C of 1989 and C++ of 1998.
   RUN: %coroamu_cc -O2 -std=c89 -pedantic-errors -Wall -Wextra -Werror %s -o %t.c89
   RUN: %t.c89 | FileCheck %s
   RUN: %coroamu_cxx -x c++ -O2 -std=c++98 -pedantic-errors -Wall -Wextra -Werror -Wno-deprecated %s -o %t.cpp98
   RUN: %t.cpp98 | FileCheck %s
   CHECK: {{^}}1 9948{{$}}
*/
#include <asyncmem.h>
#include <remote.h>
#include <stdio.h>

int main(void) {
  unsigned long *words = (unsigned long *)remote_alloc(1000 * sizeof *words);
  unsigned long sum = 0;
  int i;
  for (i = 0; i < 1000; ++i)
    words[i] = (unsigned long)i % 21;
#pragma asyncmem num_task(4)
  for (i = 0; i < 1000; ++i) {
    __builtin_is_remote(words);
    sum += words[i * 7 % 1000];
  }
  printf("%d %lu\n", remote_contains(words), sum);
  return 0;
}
