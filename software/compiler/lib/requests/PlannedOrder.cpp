// SPDX-License-Identifier: Apache-2.0

#include "requests/PlannedOrder.h"

using namespace llvm;
using namespace asyncmem;

PlannedOrder::PlannedOrder(BasicBlock &BB, SmallVectorImpl<Move> &Moves)
    : Moves(Moves) {
  for (Instruction &I : BB) {
    Number[&I] = Order.size();
    Order.push_back(&I);
  }
}

Instruction *PlannedOrder::next(const Instruction *I) const {
  return Order[Number.lookup(I) + 1];
}

void PlannedOrder::moveBefore(Instruction *I, Instruction *Position) {
  if (I == Position)
    return;
  Moves.push_back({I, Position});
  auto *From = Order.begin() + Number.lookup(I);
  auto *To = Order.begin() + Number.lookup(Position);
  if (From < To)
    std::rotate(From, From + 1, To);
  else
    std::rotate(To, From, From + 1);
  for (auto *At = std::min(From, To); At <= std::max(From, To); ++At)
    Number[*At] = At - Order.begin();
}
