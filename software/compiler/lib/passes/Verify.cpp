// SPDX-License-Identifier: Apache-2.0

#include "passes/Verify.h"
#include "common/Machine.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;
using namespace asyncmem;

namespace {

void require(bool Holds, const Function &F, const Twine &What) {
  if (!Holds)
    report_fatal_error("asyncmem: " + What + ", in function '" + F.getName() +
                       "'; please report this");
}

/// Bytes in a slot.
struct Place {
  unsigned Begin, End;

  bool overlaps(const Place &Other) const {
    return Begin < Other.End && Other.Begin < End;
  }
};

Place placeOf(const Request &R) {
  return {R.SlotOffset, R.SlotOffset + R.bytes()};
}

class LoopVerifier {
public:
  LoopVerifier(const TaskLoop &T, const Options &Opts)
      : T(T), F(*T.Header->getParent()),
        UsesAmu(Machine(*F.getParent(), Opts).usesAmu()) {}

  void checkClasses() const {
    for (const Instruction *Access : T.Remote)
      check(T.L->contains(Access), "a remote access is outside its loop");
    for (const PHINode *Phi : T.Sequential)
      check(Phi->getParent() == T.Header, "a sequential value is not carried");
    for (const SharedUpdate &S : T.Shared) {
      check(S.Phi->getParent() == T.Header &&
                !is_contained(T.Sequential, S.Phi),
            "a shared value has another class, too");
      check(
          all_of(S.Updates,
                 [&](Instruction *Update) { return S.Chain.contains(Update); }),
          "a shared value is updated outside its chain");
    }
    for (const RemoteUpdate &U : T.Updates)
      check(T.isRemote(U.First) && all_of(U.Stores,
                                          [&](const StoreInst *Store) {
                                            return T.isRemote(Store);
                                          }),
            "an update is not made of remote accesses");
  }

  void checkGroups() const {
    SmallPtrSet<const Instruction *, 16> Seen;
    unsigned SlotBytes = 0;
    for (const AccessGroup &Group : T.Groups) {
      check(!Group.Requests.empty(), "a suspension waits for nothing");
      checkBlock(Group, Seen);
      for (const Request &R : Group.Requests)
        checkParts(R);
      if (UsesAmu)
        checkRequests(Group);
      SlotBytes = std::max(SlotBytes, Group.slotBytes());
    }
    if (!UsesAmu || T.Groups.empty())
      return;
    for (const TaskRecord &Record : T.Records)
      for (const RecordField &Field : Record.Fields)
        if (Field.Load)
          Seen.insert(cast<Instruction>(Field.Load));
    for (const Instruction *Access : T.Remote)
      check(Seen.contains(Access) || T.Slice.contains(Access),
            "no task waits for a remote access");
    check(PowerOf2Ceil(SlotBytes) <= MaxSpmSlotBytes, "a slot is too large");
    check(PowerOf2Ceil(SlotBytes) * 2 <= SpmBytes,
          "no task has room in the SPM");
    checkCarried();
    checkRows();
    checkRecords();
  }

private:
  const TaskLoop &T;
  const Function &F;
  const bool UsesAmu;

  void check(bool Holds, const Twine &What) const { require(Holds, F, What); }

  /// The accesses of a group stand in one block of the loop, each in one group.
  void checkBlock(const AccessGroup &Group,
                  SmallPtrSetImpl<const Instruction *> &Seen) const {
    const BasicBlock *BB =
        Group.Requests.front().Parts.front().Access->getParent();
    check(is_contained(T.Blocks, BB), "a suspension is outside its loop");
    for (const Request &R : Group.Requests)
      for (const AccessPart &Part : R.Parts) {
        check(Part.Access->getParent() == BB,
              "the accesses of a suspension are in several blocks");
        check(T.isRemote(Part.Access) || rowPrefetch(Part.Access),
              "a task waits for an access that is not remote");
        check(Seen.insert(Part.Access).second,
              "a task waits for an access in two places");
      }
  }

  void checkParts(const Request &R) const {
    check(R.UsedBytes <= R.bytes(), "a request is smaller than what it is for");
    for (const AccessPart &Part : R.Parts)
      check(rowPrefetch(Part.Access) ||
                Part.Offset + accessBytes(Part.Access) <= R.UsedBytes,
            "a request does not reach to the end of its access");
  }

  /// What the contract says (rules 2 and 9).
  void checkRequests(const AccessGroup &Group) const {
    check(Group.Requests.size() <= MaxGroupRequests,
          "a group has more requests than the AMU takes");
    for (const Request &R : Group.Requests) {
      check(R.SizeLog2 <= PageShift, "a request is larger than a page");
      check(isAligned(R.neededAlignment(), R.SlotOffset),
            "a request is not aligned in its slot");
      check(all_of(R.Parts,
                   [&](const AccessPart &Part) {
                     return isa<StoreInst>(Part.Access) == R.isStore();
                   }),
            "a request loads and stores");
      for (const Request &Other : Group.Requests)
        check(&R == &Other || !placeOf(R).overlaps(placeOf(Other)),
              "two requests of a group have the same place");
    }
  }

  /// Carried stores and the first group of the next iteration are one group.
  void checkCarried() const {
    const AccessGroup &First = T.Groups.front();
    for (const AccessGroup &Group : T.Groups) {
      if (!Group.IsCarried)
        continue;
      check(First.CompletesCarried &&
                Group.Requests.size() + First.Requests.size() <=
                    MaxGroupRequests,
            "carried stores have no group to finish with");
      for (const Request &R : Group.Requests)
        check(R.isStore() &&
                  none_of(First.Requests,
                          [&](const Request &Other) {
                            return placeOf(R).overlaps(placeOf(Other));
                          }),
              "carried stores have the place of the next loads");
    }
  }

  /// The bytes of a record stay in the slot until its fields have been read.
  void checkRecords() const {
    for (auto [Index, Record] : enumerate(T.Records)) {
      const Place Bytes = {Record.SlotOffset, Record.SlotOffset + Record.Bytes};
      for (const RecordField &Field : Record.Fields)
        check(!Field.Load ||
                  Field.Offset + accessBytes(cast<Instruction>(Field.Load)) <=
                      Record.Bytes,
              "a field reaches out of its record");
      for (const AccessGroup &Group : T.Groups)
        for (const Request &R : Group.Requests)
          check(Group.Record == Index || !placeOf(R).overlaps(Bytes),
                "a record is overwritten");
    }
  }

  /// A block stays in the slot while its task waits elsewhere.
  void checkRows() const {
    for (const AccessGroup &Group : T.Groups) {
      if (!Group.Row)
        continue;
      check(*Group.Row < T.Rows.size() && Group.Requests.size() == 1,
            "a block is of no row");
      for (const AccessGroup &Other : T.Groups)
        for (const Request &R : Other.Requests)
          check(Other.Row == Group.Row ||
                    !placeOf(R).overlaps(placeOf(Group.Requests.front())),
                "the block of a row is overwritten");
    }
  }
};

} // namespace

void asyncmem::verifyLoop(Stage S, const TaskLoop &T, const Options &Opts) {
  const Function &F = *T.Header->getParent();
  require(!verifyFunction(F, &errs()), F,
          "the code of a marked loop is broken");
  LoopVerifier Verifier(T, Opts);
  Verifier.checkClasses();
  if (S == Stage::Planned)
    Verifier.checkGroups();
}

Labels asyncmem::labelsWithoutJump(const Function &F) {
  Labels Targets, Found;
  for (const BasicBlock &BB : F)
    if (isa<IndirectBrInst, CallBrInst>(BB.getTerminator()))
      Targets.insert(succ_begin(&BB), succ_end(&BB));
  for (const BasicBlock &BB : F)
    if (BB.hasAddressTaken() && !Targets.contains(&BB))
      Found.insert(&BB);
  return Found;
}

void asyncmem::verifyTasks(const Function &F, const Labels &Before) {
  require(!verifyFunction(F, &errs()), F, "the code of tasks is broken");
  for (const BasicBlock *BB : labelsWithoutJump(F))
    require(Before.contains(BB), F, "no jump leads to where a task waits");
}

std::string UnchangedFunction::text() const {
  std::string Text;
  raw_string_ostream Out(Text);
  F.print(Out);
  return Text;
}

UnchangedFunction::~UnchangedFunction() {
  if (Check)
    require(text() == Before, F, "an analysis has changed the code");
}
