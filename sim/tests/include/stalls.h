// SPDX-License-Identifier: Apache-2.0
//
// Frame of the programs that wait for one thing (sim/tests/stalls): the region of interest is what stands between the two macros.
#ifndef NHG_TEST_STALLS_H
#define NHG_TEST_STALLS_H

#include "test.h"

  .macro region_begin
  fence
  li x31, NHG_HOST_ROI_BEGIN
  sd x0, 0(x31)
  .endm

  .macro region_end
  li x31, NHG_HOST_ROI_END
  sd x0, 0(x31)
  test_end
  .endm

#endif
