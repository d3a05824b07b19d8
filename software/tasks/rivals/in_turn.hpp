// SPDX-License-Identifier: Apache-2.0
//
// C++20 coroutines without the library, resumed in turn until all have ended, which destroys them.
#ifndef RIVALS_IN_TURN_HPP
#define RIVALS_IN_TURN_HPP

#include <coroutine>

template <typename Handles> void resume_in_turn(Handles &handles) {
  for (bool any = true; any;) {
    any = false;
    for (auto handle : handles)
      if (!handle.done()) {
        handle.resume();
        any = true;
      }
  }
  for (auto handle : handles)
    handle.destroy();
}

#endif
