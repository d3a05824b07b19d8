// SPDX-License-Identifier: Apache-2.0

#include "common/Reports.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LLVMRemarkStreamer.h"

using namespace llvm;
using namespace asyncmem;

namespace {

struct Reports {
  bool WarningsShown = false;
  StringSet<> Printed;
};

Reports &reports() {
  static Reports TheReports;
  return TheReports;
}

} // namespace

void asyncmem::beginReports(bool WarningsShown) {
  reports() = {WarningsShown, {}};
}

bool asyncmem::warningsAreShown() { return reports().WarningsShown; }

bool asyncmem::wantsRemarks(const Function &F) {
  LLVMContext &Context = F.getContext();
  return Context.getLLVMRemarkStreamer() ||
         Context.getDiagHandlerPtr()->isAnyRemarkEnabled();
}

void asyncmem::emitRemark(const Function &F,
                          const DiagnosticInfoOptimizationBase &Remark,
                          bool Print) {
  LLVMContext &Context = F.getContext();
  if (Print && reports()
                   .Printed.insert(Remark.getLocationStr() + Remark.getMsg())
                   .second)
    Context.diagnose(Remark);
  else if (LLVMRemarkStreamer *Record = Context.getLLVMRemarkStreamer())
    Record->emit(Remark);
}
