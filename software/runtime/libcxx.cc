// SPDX-License-Identifier: Apache-2.0
//
// What libc++'s headers leave to its library, which is not here: containers, strings and sorting. Shared pointers,
// conversions to strings and streams are not among it.
#include <algorithm>
#include <__hash_table>
#include <__verbose_abort>
#include <cstdarg>
#include <cstdio>
#include <string>

#include "abort.h"

_LIBCPP_BEGIN_NAMESPACE_STD

// Called in place of an exception (a vector too long, a bad optional).
void __libcpp_verbose_abort(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char line[256];
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  abort_with("%s", line);
}

// Sizes of hash tables; the headers ask for the smallest prime that is not below n.
size_t __next_prime(size_t n) {
  auto is_prime = [](size_t p) {
    for (size_t d = 2; d <= p / d; ++d)
      if (p % d == 0)
        return false;
    return p > 1;
  };
  while (n != 0 && !is_prime(n))
    ++n;
  return n;
}

// The headers declare strings of char, and sorting of numbers by <, as instantiated elsewhere.
template class basic_string<char>;

template <class Compare, class Iterator>
void __sort(Iterator first, Iterator last, Compare) { // __less only names the order
  std::make_heap(first, last);
  std::sort_heap(first, last);
}

#define SORT(number) template void __sort<__less<number> &, number *>(number *, number *, __less<number> &)
SORT(char);
SORT(signed char);
SORT(unsigned char);
SORT(short);
SORT(unsigned short);
SORT(int);
SORT(unsigned);
SORT(long);
SORT(unsigned long);
SORT(long long);
SORT(unsigned long long);
SORT(float);
SORT(double);
#undef SORT

_LIBCPP_END_NAMESPACE_STD
