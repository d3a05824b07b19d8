// SPDX-License-Identifier: Apache-2.0
// Strength reduction for tasks. LLVM's own needs a loop whose every turn is an
// iteration; a scheduler's is not.

#ifndef ASYNCMEM_STEPPEDPRODUCTS_H
#define ASYNCMEM_STEPPEDPRODUCTS_H

#include "loop/TaskLoop.h"

namespace llvm {
class ScalarEvolution;
} // namespace llvm

namespace asyncmem {

/// Makes a product of the loop's counter with an odd constant, which the task
/// needs before it first waits, a sequential value, if the counter is needed for
/// nothing else. Beside the counter it would be one more value that all of the
/// scheduler keeps in a register: what that costs each switch is more than what
/// launch saves.
void stepProducts(TaskLoop &T, llvm::ScalarEvolution &SE);

/// Lets that product decide about the end of the loop instead of the counter. The
/// factor is odd: both meet their ends in the same iteration. To be called after
/// what asks the loop for its counter.
void countByProduct(TaskLoop &T);

/// Where a task multiplies a counter and adds what that grows by in an iteration,
/// lets it multiply the counter's next value, which launch computes. To be called
/// when the plain copy of the loop has been made: there it would be one more value
/// that lives as long as the iteration.
void multiplyNext(TaskLoop &T);

} // namespace asyncmem

#endif
