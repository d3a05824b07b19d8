// SPDX-License-Identifier: Apache-2.0

#include "frontend/Pragma.h"
#include "common/Names.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/DJB.h"
#include <climits>

using namespace clang;
using namespace asyncmem;

// '#pragma asyncmem clause...' becomes the tokens
//   switch (__asyncmem_mark(id, tasks, kind, &variable, ...)) default:
// in front of the loop. It is one statement wherever the loop was one, and
// every variable keeps its own tokens, so Clang itself reports an undeclared
// one in its place.

namespace {

constexpr char Predefines[] = R"(
#define __ASYNCMEM__ 1
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#ifdef __cplusplus
extern "C" {
#endif
int __asyncmem_mark(int, ...) __attribute__((nothrow));
void __builtin_is_remote(const volatile void *) __attribute__((nothrow));
void __builtin_is_near(const volatile void *) __attribute__((nothrow));
#ifdef __cplusplus
}
#endif
#pragma clang diagnostic pop
)";

class AsyncmemPragma : public PragmaHandler {
public:
  AsyncmemPragma(unsigned FirstId, unsigned DefaultTasks)
      : PragmaHandler("asyncmem"), NextId(FirstId), DefaultTasks(DefaultTasks) {
  }

  void HandlePragma(Preprocessor &PP, PragmaIntroducer,
                    Token &PragmaTok) override {
    Loc = PragmaTok.getLocation();
    Tasks.clear();
    Variables.clear();
    Token Tok;
    PP.Lex(Tok);
    while (Tok.isNot(tok::eod)) {
      if (!parseClause(PP, Tok)) {
        if (Tok.isNot(tok::eod))
          PP.DiscardUntilEndOfDirective();
        return;
      }
    }
    inject(PP);
  }

private:
  SourceLocation Loc;
  unsigned NextId;
  unsigned DefaultTasks;
  SmallVector<Token, 4> Tasks;
  /// The tokens ", kind, &variable" of every variable named so far.
  SmallVector<Token, 16> Variables;

  void error(Preprocessor &PP, SourceLocation At, StringRef Text) {
    DiagnosticsEngine &Diags = PP.getDiagnostics();
    Diags.Report(At, Diags.getCustomDiagID(DiagnosticsEngine::Error, "%0"))
        << ("'#pragma asyncmem': " + Text).str();
  }

  Token make(Preprocessor &PP, tok::TokenKind Kind, StringRef Spelling) {
    Token T;
    T.startToken();
    T.setKind(Kind);
    T.setLocation(Loc);
    if (Kind == tok::numeric_constant) {
      PP.CreateString(Spelling, T, Loc, Loc);
    } else if (!Spelling.empty()) {
      T.setIdentifierInfo(PP.getIdentifierInfo(Spelling));
      T.setLength(Spelling.size());
    }
    return T;
  }

  /// Reads "name ( tokens )"; leaves \p Tok on the token behind it.
  bool parseClause(Preprocessor &PP, Token &Tok) {
    const IdentifierInfo *Name = Tok.getIdentifierInfo();
    StringRef Clause = Name ? Name->getName() : StringRef();
    unsigned Kind = llvm::StringSwitch<unsigned>(Clause)
                        .Case("shared_var", SharedVar)
                        .Case("private", PrivateVar)
                        .Case("firstprivate", FirstPrivateVar)
                        .Case("lastprivate", LastPrivateVar)
                        .Case("reduction", ReductionVar)
                        .Case("lossy_update", LossyUpdate)
                        .Case("distinct_update", DistinctUpdate)
                        .Default(0);
    if (!Kind && Clause != "num_task") {
      error(PP, Tok.getLocation(),
            "unknown clause; known are num_task(n), shared_var(list), "
            "private(list), firstprivate(list), lastprivate(list), "
            "reduction(op:list), lossy_update(list) and distinct_update(list)");
      return false;
    }
    PP.Lex(Tok);
    if (Tok.isNot(tok::l_paren)) {
      error(PP, Tok.getLocation(), "expected '(' after the clause's name");
      return false;
    }
    SmallVector<Token, 8> Inner;
    unsigned Depth = 1;
    for (PP.Lex(Tok);; PP.Lex(Tok)) {
      if (Tok.is(tok::eod)) {
        error(PP, Tok.getLocation(), "expected ')'");
        return false;
      }
      Depth += Tok.is(tok::l_paren);
      Depth -= Tok.is(tok::r_paren);
      if (Depth == 0)
        break;
      Inner.push_back(Tok);
    }
    if (Inner.empty()) {
      error(PP, Tok.getLocation(), "the clause is empty");
      return false;
    }
    PP.Lex(Tok);
    if (!Kind) {
      if (!Tasks.empty()) {
        error(PP, Inner.front().getLocation(), "num_task is given twice");
        return false;
      }
      Tasks.assign(Inner.begin(), Inner.end());
      return true;
    }
    ArrayRef<Token> List = Inner;
    if (Kind == ReductionVar) {
      if (List.size() < 3 || List[1].isNot(tok::colon)) {
        error(PP, Inner.front().getLocation(),
              "expected 'operator : variables'");
        return false;
      }
      auto Operator =
          llvm::find(ReductionOperators, PP.getSpelling(List.front()));
      if (Operator == std::end(ReductionOperators)) {
        error(PP, Inner.front().getLocation(),
              "unknown operator; known are " +
                  llvm::join(llvm::ArrayRef(ReductionOperators), " "));
        return false;
      }
      Kind |= (Operator - std::begin(ReductionOperators)) << ClauseKindBits;
      List = List.drop_front(2);
    }
    addVariables(PP, Kind, List);
    return true;
  }

  void addVariables(Preprocessor &PP, unsigned Kind, ArrayRef<Token> List) {
    bool Start = true;
    for (const Token &T : List) {
      if (Start) {
        Variables.push_back(make(PP, tok::comma, ""));
        Variables.push_back(
            make(PP, tok::numeric_constant, std::to_string(Kind)));
        Variables.push_back(make(PP, tok::comma, ""));
        Variables.push_back(make(PP, tok::amp, ""));
      }
      Start = T.is(tok::comma);
      if (!Start)
        Variables.push_back(T);
    }
  }

  void inject(Preprocessor &PP) {
    SmallVector<Token, 32> Out;
    Out.push_back(make(PP, tok::kw_switch, "switch"));
    Out.push_back(make(PP, tok::l_paren, ""));
    Out.push_back(make(PP, tok::identifier, MarkFunction));
    Out.push_back(make(PP, tok::l_paren, ""));
    Out.push_back(make(PP, tok::numeric_constant, std::to_string(NextId++)));
    Out.push_back(make(PP, tok::comma, ""));
    if (Tasks.empty()) {
      Out.push_back(
          make(PP, tok::numeric_constant, std::to_string(DefaultTasks)));
    } else {
      Out.push_back(make(PP, tok::l_paren, ""));
      Out.append(Tasks.begin(), Tasks.end());
      Out.push_back(make(PP, tok::r_paren, ""));
    }
    Out.append(Variables.begin(), Variables.end());
    Out.push_back(make(PP, tok::r_paren, ""));
    Out.push_back(make(PP, tok::r_paren, ""));
    Out.push_back(make(PP, tok::kw_default, "default"));
    Out.push_back(make(PP, tok::colon, ""));
    auto Tokens = std::make_unique<Token[]>(Out.size());
    std::copy(Out.begin(), Out.end(), Tokens.get());
    PP.EnterTokenStream(std::move(Tokens), Out.size(),
                        /*DisableMacroExpansion=*/true, /*IsReinject=*/false);
  }
};

/// \returns the number of the first pragma. What is precompiled has numbers of its
/// own, as it meets those of the sources that use it.
unsigned firstId(const FrontendOptions &Opts) {
  constexpr unsigned MostLog2 = 20, Parts = 1 << (31 - MostLog2);
  switch (Opts.ProgramAction) {
  case frontend::GenerateModule:
  case frontend::GenerateModuleInterface:
  case frontend::GenerateHeaderUnit:
  case frontend::GeneratePCH:
    return (llvm::djbHash(Opts.OutputFile) % (Parts - 1) + 1) << MostLog2;
  default:
    return 1;
  }
}

/// Adds the declarations to \p Known, in front of the headers that the command line
/// names (-include), which may have pragmas.
std::string withPredefines(StringRef Known) {
  size_t Headers =
      std::min(Known.find("\n#include "), Known.find("\n#__include_macros "));
  return (Known.substr(0, Headers) + Predefines +
          (Headers == StringRef::npos ? "" : Known.substr(Headers)))
      .str();
}

} // namespace

std::unique_ptr<ASTConsumer> asyncmem::registerPragma(CompilerInstance &CI,
                                                      unsigned DefaultTasks) {
  Preprocessor &PP = CI.getPreprocessor();
  PP.AddPragmaHandler(
      new AsyncmemPragma(firstId(CI.getFrontendOpts()), DefaultTasks));
  PP.setPredefines(withPredefines(PP.getPredefines()));
  return createMarkChecker(CI.getCodeGenOpts().DebugColumnInfo);
}

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
