// SPDX-License-Identifier: Apache-2.0

#include "frontend/Pragma.h"
#include "common/Names.h"
#include "common/Reports.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace asyncmem;

namespace {

/// \returns the variable of the program that \p E is, or is a part of; null if
/// there is none.
const VarDecl *variableOf(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  while (auto *Member = dyn_cast<MemberExpr>(E))
    E = Member->getBase()->IgnoreParenImpCasts();
  auto *Ref = dyn_cast<DeclRefExpr>(E);
  auto *Variable = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Variable && !Variable->isImplicit() ? Variable : nullptr;
}

/// Reports each error of a place once, however many instances it has.
class ErrorReporter {
public:
  explicit ErrorReporter(DiagnosticsEngine &Diags) : Diags(Diags) {}

  void report(SourceLocation At, const llvm::Twine &Text) {
    if (!Reported.insert(At.getRawEncoding()).second)
      return;
    Diags.Report(At, Diags.getCustomDiagID(DiagnosticsEngine::Error, "%0"))
        << ("'#pragma asyncmem': " + Text).str();
  }

private:
  DiagnosticsEngine &Diags;
  llvm::SmallSet<unsigned, 4> Reported;
};

/// \returns true if \p Switch is what a pragma became.
bool isPragma(const SwitchStmt &Switch) {
  auto *Call = dyn_cast<CallExpr>(Switch.getCond()->IgnoreParenImpCasts());
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->getIdentifier() && Callee->getName() == MarkFunction;
}

/// Finds jumps that may start the life of a local variable without its
/// declaration.
class JumpsIntoScope : public RecursiveASTVisitor<JumpsIntoScope> {
public:
  JumpsIntoScope(const SourceManager &Sources, const VarDecl &Variable)
      : Sources(Sources), Variable(Variable) {}

  bool find() {
    auto *F = dyn_cast<FunctionDecl>(Variable.getDeclContext());
    return !F || !F->hasBody() || !TraverseStmt(F->getBody());
  }

  /// In C, a jump back to a label of its block starts a variable's life, too.
  bool VisitLabelStmt(LabelStmt *Label) {
    return isBefore(Variable.getLocation(), Label->getIdentLoc());
  }
  bool VisitGotoStmt(GotoStmt *Goto) {
    return isBefore(Variable.getLocation(), Goto->getGotoLoc()) &&
           isBefore(Goto->getGotoLoc(), Goto->getLabel()->getLocation());
  }
  bool VisitIndirectGotoStmt(IndirectGotoStmt *) { return false; }
  bool VisitGCCAsmStmt(GCCAsmStmt *Asm) { return !Asm->isAsmGoto(); }
  bool VisitSwitchStmt(SwitchStmt *Switch) {
    return isPragma(*Switch) ||
           isBefore(Variable.getLocation(), Switch->getBeginLoc()) ||
           isBefore(Switch->getEndLoc(), Variable.getLocation());
  }

private:
  const SourceManager &Sources;
  const VarDecl &Variable;

  bool isBefore(SourceLocation A, SourceLocation B) const {
    return Sources.isBeforeInTranslationUnit(A, B);
  }
};

/// Finds where a loop uses its variables. Instructions made from an expression
/// have its location.
class VariablePlaces : public RecursiveASTVisitor<VariablePlaces> {
public:
  VariablePlaces(const ASTContext &Context, SourceLoop &Loop, bool HasColumns)
      : Context(Context), Loop(Loop), HasColumns(HasColumns) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  /// \returns true if Clang may not mark where a variable of the function that is
  /// declared outside comes to life.
  bool lackMarkers() const {
    return llvm::any_of(Used, [&](const VarDecl *Variable) {
      return !Declared.count(Variable) &&
             (Variable->isNRVOVariable() ||
              JumpsIntoScope(Context.getSourceManager(), *Variable).find());
    });
  }

  bool VisitVarDecl(VarDecl *Variable) {
    Declared.insert(Variable);
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    auto *Variable = dyn_cast<VarDecl>(E->getDecl());
    if (Variable && Variable->hasLocalStorage() && !isa<ParmVarDecl>(Variable))
      Used.insert(Variable);
    return add(E, E);
  }
  bool VisitMemberExpr(MemberExpr *E) { return add(E, E); }
  bool VisitUnaryOperator(UnaryOperator *E) {
    return !E->isIncrementDecrementOp() || add(E, E->getSubExpr());
  }
  bool VisitBinaryOperator(BinaryOperator *E) {
    return !E->isAssignmentOp() || add(E, E->getLHS());
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *E) {
    return add(E, E->getArg(0));
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *E) {
    return add(E, E->getImplicitObjectArgument());
  }

private:
  const ASTContext &Context;
  SourceLoop &Loop;
  bool HasColumns;
  llvm::SmallPtrSet<const VarDecl *, 16> Used;
  llvm::SmallPtrSet<const VarDecl *, 16> Declared;

  bool add(const Expr *At, const Expr *Of) {
    const VarDecl *Variable = variableOf(Of);
    SourcePlace Place = placeOf(Context, At->getExprLoc(), HasColumns);
    if (!Variable || Place == SourcePlace())
      return true;
    std::string Name = Variable->getNameAsString();
    auto [Known, IsNew] = Loop.Variables.insert({Place, Name});
    // All of a macro stands in one place.
    if (!IsNew && Known->second != Name)
      Known->second.clear();
    return true;
  }
};

/// Compares the updates of a variable with what reduction() says of them.
class ReductionChecker : public RecursiveASTVisitor<ReductionChecker> {
public:
  ReductionChecker(ErrorReporter &Errors, llvm::StringRef Operator,
                   const VarDecl *Variable)
      : Errors(Errors), Operator(Operator), Variable(Variable) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitUnaryOperator(UnaryOperator *E) {
    if (E->isIncrementDecrementOp() && isVariable(E->getSubExpr()))
      check(E, E->isIncrementOp() ? "+" : "-");
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator *E) {
    if (!E->isAssignmentOp() || !isVariable(E->getLHS()))
      return true;
    if (E->isCompoundAssignmentOp())
      check(E, BinaryOperator::getOpcodeStr(
                   BinaryOperator::getOpForCompoundAssignment(E->getOpcode())));
    else if (const BinaryOperator *Update = updateIn(E->getRHS()))
      check(E, Update->getOpcodeStr());
    return true;
  }

  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *E) {
    llvm::StringRef Spelling = getOperatorSpelling(E->getOperator());
    if (E->isAssignmentOp() && isVariable(E->getArg(0)) &&
        Spelling.consume_back("=") && !Spelling.empty())
      check(E, Spelling);
    return true;
  }

private:
  ErrorReporter &Errors;
  llvm::StringRef Operator;
  const VarDecl *Variable;

  bool isVariable(const Expr *E) const {
    auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
    return Ref && Ref->getDecl() == Variable;
  }

  /// \returns the operation of \p E that has the variable as an operand.
  const BinaryOperator *updateIn(const Expr *E) const {
    auto *Binary = dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts());
    if (!Binary || Binary->isComparisonOp() || Binary->isCommaOp() ||
        Binary->isAssignmentOp())
      return nullptr;
    if (isVariable(Binary->getLHS()) || isVariable(Binary->getRHS()))
      return Binary;
    if (const BinaryOperator *Left = updateIn(Binary->getLHS()))
      return Left;
    return updateIn(Binary->getRHS());
  }

  bool isMeant(llvm::StringRef Found) const {
    bool IsSum = Operator == "+" || Operator == "-";
    return Found == Operator || (IsSum && (Found == "+" || Found == "-")) ||
           (Operator == "&&" && Found == "&") ||
           (Operator == "||" && Found == "|");
  }

  void check(const Expr *Update, llvm::StringRef Found) {
    if (!isMeant(Found))
      Errors.report(Update->getExprLoc(),
                    "the loop updates '" + Variable->getName() + "' by '" +
                        Found + "', its clause is reduction(" + Operator +
                        ": " + Variable->getName() + ")");
  }
};

/// Checks every marked statement once its types and constants are known.
class MarkChecker : public RecursiveASTVisitor<MarkChecker> {
public:
  MarkChecker(ASTContext &Context, bool HasColumns)
      : Context(Context), Errors(Context.getDiagnostics()),
        HasColumns(HasColumns) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(Decl *D) {
    Stmt *Around = D ? D->getBody() : nullptr;
    llvm::SaveAndRestore Inside(Body, Around ? Around : Body);
    return RecursiveASTVisitor::TraverseDecl(D);
  }
  bool TraverseLambdaExpr(LambdaExpr *Lambda) {
    llvm::SaveAndRestore Inside(Body, Lambda->getBody());
    return RecursiveASTVisitor::TraverseLambdaExpr(Lambda);
  }

  bool VisitSwitchStmt(SwitchStmt *Switch) {
    if (!isPragma(*Switch))
      return true;
    auto *Call = cast<CallExpr>(Switch->getCond()->IgnoreParenImpCasts());
    checkTasks(Call->getArg(1));
    Expr::EvalResult Id;
    auto *Default = dyn_cast<DefaultStmt>(Switch->getBody());
    Stmt *Loop = Default ? Default->getSubStmt() : nullptr;
    while (auto *Attributed = dyn_cast_or_null<AttributedStmt>(Loop))
      Loop = Attributed->getSubStmt();
    if (!isa_and_nonnull<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(Loop)) {
      Errors.report(Switch->getBeginLoc(),
                    "expected a for, while or do loop behind it");
      return true;
    }
    checkLabels(*Switch);
    checkShared(*Call, Loop);
    if (Call->getArg(0)->EvaluateAsInt(Id, Context))
      describe(Loop, sourceLoops()[Id.Val.getInt().getZExtValue()]);
    return true;
  }

private:
  ASTContext &Context;
  ErrorReporter Errors;
  bool HasColumns;
  /// Of the function.
  Stmt *Body = nullptr;

  /// Labels in the loop would be those of what its pragma became.
  void checkLabels(const SwitchStmt &Pragma) {
    for (const SwitchCase *Label = Pragma.getSwitchCaseList(); Label;
         Label = Label->getNextSwitchCase())
      if (isa<CaseStmt>(Label))
        Errors.report(Label->getKeywordLoc(),
                      "a switch around the loop has this label in it; leave "
                      "the pragma out, or the label");
  }

  void checkTasks(const Expr *Tasks) {
    if (Tasks->isValueDependent())
      return;
    Expr::EvalResult Value;
    if (!Tasks->EvaluateAsInt(Value, Context) || Value.Val.getInt() < 1 ||
        Value.Val.getInt() > MaxTasks)
      Errors.report(Tasks->IgnoreParenImpCasts()->getExprLoc(),
                    "num_task must be a constant from 1 to " +
                        llvm::Twine(MaxTasks));
  }

  void checkShared(const CallExpr &Mark, Stmt *Loop) {
    for (unsigned I = 2; I + 1 < Mark.getNumArgs(); I += 2) {
      Expr::EvalResult Value;
      auto *Address =
          dyn_cast<UnaryOperator>(Mark.getArg(I + 1)->IgnoreParenImpCasts());
      const VarDecl *Variable =
          Address ? variableOf(Address->getSubExpr()) : nullptr;
      if (!Variable || !Mark.getArg(I)->EvaluateAsInt(Value, Context))
        continue;
      unsigned Clause = Value.Val.getInt().getZExtValue();
      bool IsReduction = clauseKind(Clause) == ReductionVar;
      if ((IsReduction || clauseKind(Clause) == SharedVar) &&
          Variable->getType()->isRecordType())
        Errors.report(Address->getSubExpr()->getExprLoc(),
                      "shared_var() and reduction() take no structure; use a "
                      "variable for each of its fields");
      else if (IsReduction)
        ReductionChecker(Errors, ReductionOperators[Clause >> ClauseKindBits],
                         Variable)
            .TraverseStmt(Loop);
    }
  }

  void describe(Stmt *Loop, SourceLoop &Source) {
    Source.Start = placeOf(Context, Loop->getBeginLoc(), HasColumns);
    if (Body)
      Source.Alike =
          std::max(Source.Alike, countAlike(Context, *Loop, *Body, HasColumns));
    VariablePlaces Places(Context, Source, HasColumns);
    Places.TraverseStmt(Loop);
    Source.LacksMarkers |= Places.lackMarkers();
  }
};

class MarkConsumer : public ASTConsumer {
public:
  explicit MarkConsumer(bool HasColumns) : HasColumns(HasColumns) {}

  void HandleTranslationUnit(ASTContext &Context) override {
    sourceLoops().clear();
    beginReports(!Context.getDiagnostics().isIgnored(
        diag::warn_fe_backend_optimization_failure, SourceLocation()));
    MarkChecker(Context, HasColumns)
        .TraverseDecl(Context.getTranslationUnitDecl());
  }

private:
  bool HasColumns;
};

} // namespace

std::unique_ptr<ASTConsumer> asyncmem::createMarkChecker(bool HasColumns) {
  return std::make_unique<MarkConsumer>(HasColumns);
}
