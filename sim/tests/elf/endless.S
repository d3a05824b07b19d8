// SPDX-License-Identifier: Apache-2.0
// Never ends.
#include "tohost.h"
  j _start
