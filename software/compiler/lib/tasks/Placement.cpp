// SPDX-License-Identifier: Apache-2.0

#include "tasks/Placement.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// Reads and writes of one web in one block.
struct WebEvents {
  enum { None, Use, Definition } First = None;
  bool Defines = false;
  /// The last definition; null if it is a copy at the end of the block.
  Instruction *LastDefinition = nullptr;

  bool any() const { return First != None; }
};

bool isDefinedIn(const Value *V, const BasicBlock *BB) {
  auto *I = dyn_cast<Instruction>(V);
  return I && !isa<PHINode>(I) && I->getParent() == BB;
}

/// A way that so small a part of the executions of a block takes does not keep
/// a save from being early.
constexpr double UnlikelyShare = 0.125;

/// Where saves may be, beside where they must be.
struct SaveRules {
  /// What an inner loop does not change is saved before it.
  bool BeforeLoops;
  /// A definition is saved at once if only unlikely ways do not need that.
  bool AtDefinitions;
};

class Placer {
public:
  Placer(ArrayRef<WebEvents> Events, const BodyGraph &Graph, SaveRules Rules)
      : Events(Events), Graph(Graph), Rules(Rules), N(Graph.size()) {}

  Placement place() {
    findLive();
    placeSaves();
    // A save on an edge reads the register.
    for (const FlowEdge &E : Result.SaveOn)
      if (!Events[E.From].any())
        Events[E.From].First = WebEvents::Use;
    findLive();
    placeReloads();
    return std::move(Result);
  }

private:
  SmallVector<WebEvents, 16> Events;
  const BodyGraph &Graph;
  SaveRules Rules;
  unsigned N;
  BitVector LiveIn;
  Placement Result;

  /// Sets the bits of \p In to the solution of "In(b) = Step(b, In)", reached
  /// from \p Start.
  template <typename Function>
  BitVector solve(bool Start, Function Step) const {
    BitVector In(N, Start);
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (unsigned Count = 0; Count != 2 * N; ++Count) {
        unsigned B = Count < N ? N - 1 - Count : Count - N;
        bool New = Step(B, In);
        Changed |= New != In.test(B);
        In[B] = New;
      }
    }
    return In;
  }

  bool onAllPathsFrom(unsigned B, const BitVector &In) const {
    return !Graph.leaves(B) && all_of(Graph.successors(B),
                                      [&](unsigned To) { return In.test(To); });
  }

  void findLive() {
    LiveIn = solve(false, [&](unsigned B, const BitVector &In) {
      if (Events[B].any())
        return Events[B].First == WebEvents::Use;
      return any_of(Graph.successors(B),
                    [&](unsigned To) { return In.test(To); });
    });
  }

  bool isNeededAcross(unsigned B) const {
    return Graph.suspends(B) && LiveIn.test(Graph.successors(B).front());
  }

  /// Headers of loops that do \p What and do not change the variable: what they
  /// need is done before them.
  template <typename Predicate> BitVector headers(Predicate What) const {
    BitVector Set(N);
    for (const BodyLoop &L : Graph.loops())
      if (none_of(L.Blocks.set_bits(),
                  [&](unsigned B) { return Events[B].Defines; }) &&
          What(L))
        Set.set(L.Header);
    return Set;
  }

  bool onLikelyPathsFrom(unsigned B, const BitVector &In) const {
    if (!Rules.AtDefinitions)
      return onAllPathsFrom(B, In);
    bool Any = false;
    for (unsigned To : Graph.successors(B)) {
      if (Graph.share(B, To) < UnlikelyShare)
        continue;
      if (!In.test(To) || !LiveIn.test(To))
        return false;
      Any = true;
    }
    return Any;
  }

  void placeSaves() {
    BitVector Before(N);
    if (Rules.BeforeLoops)
      Before = headers([&](const BodyLoop &L) {
        return any_of(L.Blocks.set_bits(),
                      [&](unsigned B) { return isNeededAcross(B); });
      });
    auto NeededAtEnd = [&](unsigned B, const BitVector &In) {
      return Graph.suspends(B) ? isNeededAcross(B) : onLikelyPathsFrom(B, In);
    };
    BitVector Needed = solve(true, [&](unsigned B, const BitVector &In) {
      return Before.test(B) || (!Events[B].Defines && NeededAtEnd(B, In));
    });
    auto IsCleanAtEnd = [&](unsigned B, const BitVector &Clean) {
      if (Events[B].Defines)
        return NeededAtEnd(B, Needed);
      return Clean.test(B) || Needed.test(B);
    };
    BitVector Clean = solve(true, [&](unsigned B, const BitVector &In) {
      return Graph.resumes(B) ||
             (!Graph.predecessors(B).empty() &&
              all_of(Graph.predecessors(B),
                     [&](unsigned P) { return IsCleanAtEnd(P, In); }));
    });
    for (unsigned B = 0; B != N; ++B) {
      if (Events[B].Defines && NeededAtEnd(B, Needed))
        Result.SaveDefinition.push_back({B, Events[B].LastDefinition});
      if (!Needed.test(B) || Graph.resumes(B))
        continue;
      for (unsigned P : Graph.predecessors(B))
        if (!IsCleanAtEnd(P, Clean))
          Result.SaveOn.push_back({P, B});
    }
  }

  void placeReloads() {
    BitVector Wanted = headers([&](const BodyLoop &L) {
      return !L.Suspends && any_of(L.Blocks.set_bits(),
                                   [&](unsigned B) { return Events[B].any(); });
    });
    Wanted = solve(true, [&](unsigned B, const BitVector &In) {
      if (Wanted.test(B))
        return true;
      if (Events[B].any())
        return Events[B].First == WebEvents::Use;
      return !Graph.suspends(B) && onAllPathsFrom(B, In);
    });
    // Where paths with and without the register meet, those without reload: the
    // frame may be out of date on the others.
    for (bool Changed = true; Changed;) {
      Changed = false;
      auto IsHeldAtEnd = [&](unsigned B, const BitVector &In) {
        return Events[B].any() || In.test(B) || Wanted.test(B);
      };
      BitVector Held = solve(true, [&](unsigned B, const BitVector &In) {
        return !Graph.resumes(B) && !Graph.predecessors(B).empty() &&
               all_of(Graph.predecessors(B),
                      [&](unsigned P) { return IsHeldAtEnd(P, In); });
      });
      for (unsigned B = 0; B != N; ++B)
        if (!Graph.resumes(B) && !Wanted.test(B) && !Held.test(B) &&
            LiveIn.test(B) && any_of(Graph.predecessors(B), [&](unsigned P) {
              return IsHeldAtEnd(P, Held);
            })) {
          Wanted.set(B);
          Changed = true;
        }
      if (Changed)
        continue;
      for (unsigned B : Wanted.set_bits()) {
        if (Graph.resumes(B))
          Result.ReloadAt.push_back(B);
        else
          for (unsigned P : Graph.predecessors(B))
            if (!IsHeldAtEnd(P, Held))
              Result.ReloadOn.push_back({P, B});
      }
    }
  }
};

/// \returns the events of \p W in each block of \p Graph. Values defined in the
/// block they are used in are not read from the frame.
SmallVector<WebEvents, 16> findEvents(const Web &W, const BodyGraph &Graph) {
  SmallVector<WebEvents, 16> Events(Graph.size());
  for (unsigned B = 0; B != Graph.size(); ++B) {
    BasicBlock *BB = Graph.block(B);
    WebEvents &E = Events[B];
    auto Uses = [&](const Value *V) {
      if (W.contains(V) && !isDefinedIn(V, BB) && !E.any())
        E.First = WebEvents::Use;
    };
    auto Defines = [&](Instruction *I) {
      if (!E.any())
        E.First = WebEvents::Definition;
      E.Defines = true;
      E.LastDefinition = I;
    };
    for (Instruction &I : *BB) {
      if (isa<PHINode>(I))
        continue;
      for (const Value *Op : I.operands())
        Uses(Op);
      if (W.contains(&I))
        Defines(&I);
    }
    for (BasicBlock *Next : successors(BB))
      for (PHINode &Phi : Next->phis())
        if (!W.contains(&Phi))
          Uses(Phi.getIncomingValueForBlock(BB));
    for (BasicBlock *Next : successors(BB))
      for (PHINode &Phi : Next->phis())
        if (W.contains(&Phi) && !W.contains(Phi.getIncomingValueForBlock(BB)))
          Defines(nullptr);
  }
  return Events;
}

/// \returns the number of saves and reloads in an iteration.
double placementCost(const Placement &P, const BodyGraph &Graph) {
  double Sum = 0;
  for (const Placement::SavedDefinition &Saved : P.SaveDefinition)
    Sum += Graph.frequency(Saved.Block);
  for (unsigned B : P.ReloadAt)
    Sum += Graph.frequency(B);
  for (const auto *List : {&P.SaveOn, &P.ReloadOn})
    for (const FlowEdge &E : *List)
      Sum += Graph.frequency(E.From, E.To);
  return Sum;
}

} // namespace

Placement asyncmem::placeAccesses(const Web &W, const BodyGraph &Graph) {
  const SmallVector<WebEvents, 16> Events = findEvents(W, Graph);
  std::optional<Placement> Best;
  for (SaveRules Rules : {SaveRules{true, false}, SaveRules{false, false},
                          SaveRules{true, true}, SaveRules{false, true}}) {
    Placement P = Placer(Events, Graph, Rules).place();
    if (!Best || placementCost(P, Graph) < placementCost(*Best, Graph))
      Best = std::move(P);
  }
  return std::move(*Best);
}

BitVector asyncmem::pointsInFrame(const Placement &P, const BodyGraph &Graph) {
  BitVector Saves(2 * Graph.size()), Points(2 * Graph.size());
  auto On = [&](const FlowEdge &E) {
    const Instruction *End = Graph.block(E.From)->getTerminator();
    return End->getNumSuccessors() == 1 ? 2 * E.From + 1 : 2 * E.To;
  };
  for (const Placement::SavedDefinition &Saved : P.SaveDefinition)
    Saves.set(2 * Saved.Block + 1);
  for (const FlowEdge &E : P.SaveOn)
    Saves.set(On(E));
  for (unsigned B : P.ReloadAt)
    Points.set(2 * B);
  for (const FlowEdge &E : P.ReloadOn)
    Points.set(On(E));
  // Backwards from each reload to the saves.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned Point = Points.size(); Point-- > 0;) {
      auto IsHeld = [&](unsigned Next) { return Points.test(Next); };
      bool Behind = Point % 2
                        ? any_of(Graph.successors(Point / 2),
                                 [&](unsigned To) { return IsHeld(2 * To); })
                        : IsHeld(Point + 1);
      if (Behind && !Points.test(Point) && !Saves.test(Point)) {
        Points.set(Point);
        Changed = true;
      }
    }
  }
  return Points |= Saves;
}
