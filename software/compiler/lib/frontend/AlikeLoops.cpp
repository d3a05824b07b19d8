// SPDX-License-Identifier: Apache-2.0

#include "frontend/AlikeLoops.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include <climits>

using namespace clang;
using namespace asyncmem;

namespace {

/// Counts the loops of one function that start where a marked one does, all in
/// one macro or line: those that repeat, and the marked one.
class AlikeLoops : public RecursiveASTVisitor<AlikeLoops> {
public:
  AlikeLoops(ASTContext &Context, const Stmt *Marked, bool HasColumns)
      : Context(Context), Marked(Marked), HasColumns(HasColumns) {}

  unsigned count(Stmt *Within) {
    Count = 0;
    TraverseStmt(Within);
    return Count;
  }

  bool TraverseDecl(Decl *D) {
    return isa_and_nonnull<FunctionDecl, RecordDecl, BlockDecl>(D) ||
           RecursiveASTVisitor::TraverseDecl(D);
  }
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }

  bool VisitForStmt(ForStmt *Loop) { return add(Loop, Loop->getCond()); }
  bool VisitWhileStmt(WhileStmt *Loop) { return add(Loop, Loop->getCond()); }
  bool VisitDoStmt(DoStmt *Loop) { return add(Loop, Loop->getCond()); }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *Loop) {
    return add(Loop, nullptr);
  }

private:
  ASTContext &Context;
  const Stmt *Marked;
  bool HasColumns;
  unsigned Count = 0;

  SourcePlace start(const Stmt *Loop) const {
    return placeOf(Context, Loop->getBeginLoc(), HasColumns);
  }

  bool add(const Stmt *Loop, const Expr *Condition) {
    bool Repeats = true;
    bool IsConstant = Condition && !Condition->isValueDependent() &&
                      Condition->EvaluateAsBooleanCondition(Repeats, Context);
    if (start(Loop) == start(Marked))
      Count += Loop == Marked || !IsConstant || Repeats;
    return true;
  }
};

} // namespace

SourcePlace asyncmem::placeOf(const ASTContext &Context, SourceLocation At,
                              bool HasColumns) {
  PresumedLoc Place = Context.getSourceManager().getPresumedLoc(At);
  if (Place.isInvalid())
    return {};
  return {Place.getLine(), HasColumns ? Place.getColumn() : 0};
}

unsigned asyncmem::countAlike(ASTContext &Context, Stmt &Loop, Stmt &Function,
                              bool HasColumns) {
  AlikeLoops Alike(Context, &Loop, HasColumns);
  auto *For = dyn_cast<ForStmt>(&Loop);
  return For && Alike.count(For->getInit()) ? UINT_MAX : Alike.count(&Function);
}
