# SPDX-License-Identifier: Apache-2.0
"""280 kinds of loop: 56 constructs in five positions, each with the verdict that is expected (tasks, or the words of the refusal).

Each is compiled for x86-64 (static) and for the AMU (bafin); the verdict and what the loop computes are compared.
In a body, `v` is a value that came from remote memory (in position "before" the counter), `r` is what the iteration computes.
"""

from dataclasses import dataclass, field

from fuzz.loops import Function
from fuzz.oracle import Oracle
from fuzz.source import Unit
from fuzz.statements import indent
from fuzz.toolchain import Config

CONFIGS = (Config("x86", "static"), Config("riscv", "bafin"))
TRIPS = (0, 1, 100)
POSITIONS = ("before", "behind", "branch", "inner", "twice")
KINDS_PER_UNIT = 56


@dataclass(frozen=True)
class Construct:
    """Lines of a loop body. `refused`: words of the reason, empty if tasks are made; `but`: other words in some positions."""

    name: str
    body: tuple[str, ...]
    refused: str = ""
    outside: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    clauses: str = ""
    cpp: bool = False
    but: dict[str, str] = field(default_factory=dict)

    def expected(self, position: str) -> str:
        return self.but.get(position, self.refused)


def split(name: str, *body: str, **more: object) -> Construct:
    return Construct(name, body, **more)  # type: ignore[arg-type]


def refused(name: str, words: str, *body: str, **more: object) -> Construct:
    return Construct(name, body, words, **more)  # type: ignore[arg-type]


ACC = {"outside": ("uint64_t acc = 1;",), "results": ("acc",)}
IN_MEMORY = "local memory is read before and written after a remote access"
CARRIED = "carried from one iteration to the next is read from memory that the loop may write"
# Without remote data it is computed in the order of iterations, before tasks wait.
IN_ORDER = {"before": ""}

CONSTRUCTS = (
    split("arithmetic", "r += v * 3 ^ v >> 7;"),
    split("wide arithmetic", "unsigned __int128 w = (unsigned __int128)v * (r | 1);", "r ^= (uint64_t)(w >> 64) + (uint64_t)w;"),
    split("real numbers", "r += (uint64_t)((double)(v & 1023) * 1.5);"),
    split("bits counted", "r += (uint64_t)__builtin_popcountll(v) + (v ? (uint64_t)__builtin_ctzll(v) : 64);"),
    split("switch", "switch (v & 3) {", "case 0: r += 1; break;", "case 1: r ^= v;", "case 2: r *= 3; break;", "default: r = 7;", "}"),
    split("goto forwards", "if (v & 1) goto @l;", "r += 3;", "@l:;"),
    split("goto back", "uint64_t @n = v & 3;", "@l: r = r * 5 + r8[(v + @n) & 1023];", "if (@n--) goto @l;"),
    split("while", "uint64_t @n = v & 7;", "while (@n) { r += r8[@n]; @n >>= 1; }"),
    split("do", "uint64_t @n = v & 7;", "do { r ^= r8[(@n + 5) & 1023]; } while (@n--);"),
    split("inner break", "for (uint64_t @n = 0; @n < 9; ++@n) { if (r8[(v + @n) & 1023] % 5 == 1) break; ++r; }"),
    split("continue", "if (v % 7 == 3) continue;", "r += 5;"),
    split("list", "for (struct node *@j = &nodes[v & 255]; @j; @j = @j->next) {", "__builtin_is_remote(@j);", "r += @j->key;", "}"),
    split("sum", "acc += v;", **ACC),
    split("product", "acc *= v | 1;", **ACC),
    split("least", "acc = v < acc ? v : acc;", outside=("uint64_t acc = ~0ull;",), results=("acc",)),
    split("sum of reals", "acc += (double)(v & 1023);", outside=("double acc = 0;",), results=("acc",), clauses="reduction(+ : acc)"),
    split("own array", "uint64_t @a[4] = {v, 1, 2, 3};", "@a[v & 3] += r;", "r ^= @a[0] + @a[v >> 2 & 3] * 3;"),
    split("own structure", "struct cell @c = {v, 5, 6, {7, 8}};", "@c.y += (uint32_t)r;", "r += @c.x ^ @c.y ^ @c.t[v & 1];"),
    split("bit fields", "struct { uint32_t a : 5, b : 11, c : 16; } @f = {3, 4, 5};", "@f.b += v & 2047;", "r += @f.a + @f.b * 3u + @f.c;"),
    split("structure copied", "rows[i] = table[v & 255];", "r += rows[i].p.size;"),
    split("block copied", "uint64_t @a[3];", "__builtin_memcpy(@a, &r8[v & 511], sizeof @a);", "r += @a[0] ^ @a[1] * 3 ^ @a[2] * 5;"),
    split("bytes copied", "uint8_t @a[16] = {7};", "__builtin_memcpy(@a, &r1[v & 511], v & 15);", "r += @a[3];"),
    split("bytes compared", "uint8_t @a[64] = {7};", "r += __builtin_memcmp(&r1[v & 511], @a, v & 63) > 0;"),
    split("texts compared", "r += __builtin_strncmp((const char *)&r1[v & 511], (const char *)&r1[v >> 9 & 511], v & 31) < 0;"),
    split("byte looked for", "const void *@p = __builtin_memchr(&r1[v & 511], 3, v & 63);", "r += @p ? (uint64_t)((const uint8_t *)@p - r1) : 1;"),
    split("pointer loaded twice", "const struct node *@j = nodes[v & 255].next;", "r += @j && @j->next ? @j->next->key : 3;"),
    split("narrow", "w1[i] = (uint8_t)v;", "w2[i] = (uint16_t)(v + r);", "w4[i] = (uint32_t)r;"),
    split("histogram", "hash[v & 63] += r;"),
    split("update of a remote word", "atoms[v & 63] += r | 1;"),
    split("update that may get lost", "atoms[i & 63] ^= 1;", clauses="lossy_update(atoms)"),
    split("update of distinct words", "w4[i] ^= (uint32_t)r;", clauses="distinct_update(w4)"),
    split("atomic addition", "__atomic_fetch_add(&atoms[v & 63], 3, __ATOMIC_RELAXED);"),
    split(
        "compare and swap",
        "uint64_t @old = __atomic_load_n(&atoms[v & 63], __ATOMIC_RELAXED);",
        "while (!__atomic_compare_exchange_n(&atoms[v & 63], &@old, @old + 3, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))",
        "  ;",
    ),
    split("lock", "asyncmem_lock(global);", "hash[5] += r8[v & 1023];", "asyncmem_unlock(global);", outside=("*global = 0;",)),
    split("heap", "uint64_t *@h = (uint64_t *)__builtin_malloc(16);", "@h[0] = v;", "@h[1] = r;", "r += @h[v & 1];", "__builtin_free(@h);"),
    split("inline callee", "r ^= fuzz_at(r8, v);"),
    split("callee", "r ^= fuzz_twice(r8, v);"),
    split("callee that writes", "fuzz_put(&o8[i], v);"),
    split("callee elsewhere", "r += fuzz_pure(v);"),
    split("recursion", "r += fuzz_list_sum(&nodes[v & 255]);"),
    split("lambda", "r += [&] { return r8[v & 1023] * 3; }();", cpp=True),
    split("destructor", "struct guard { uint64_t &r; ~guard() { r ^= 5; } } @g{r};", "r += v;", cpp=True),
    split("iterators", "for (uint64_t &@x : fuzz_range<uint64_t>{r8 + (v & 511), 3})", "  r = r * 3 + @x;", cpp=True),
    refused("volatile access", "it contains a volatile access", "fuzz_volatile = fuzz_volatile * 3 + v;"),
    refused("assembly", "it contains inline assembly", '__asm__ volatile("" : "+r"(r));'),
    refused("effect", "it calls 'fuzz_effect', whose effects are unknown", "fuzz_effect(v);"),
    refused("pointer to a function", "it calls through a pointer", "fuzz_pointer(v);"),
    refused("convergent call", "a call in it is convergent", "r += fuzz_convergent(v);"),
    refused("variable array", "it allocates stack memory of variable size", "uint64_t @a[1 + (v & 7)];", "@a[0] = v;", "fuzz_keep(@a);", "r += @a[0];"),
    refused("large frame", "the variables of the loop body need more than", "uint64_t @a[1024] = {1};", "@a[v & 1023] = r;", "r += @a[r & 1023];"),
    refused("block of unknown size", "whose size is not known", "uint8_t @a[16] = {7};", "__builtin_memmove(@a, &r1[v & 511], v & 15);", "r += @a[3];"),
    refused("spinning", "may wait for another iteration", "while (__atomic_exchange_n(global, 4, __ATOMIC_RELAXED) == 5)", "  ;"),
    refused("carried value", CARRIED, "acc = acc * 3 + v;", but=IN_ORDER, **ACC),
    refused("sum that is looked at", CARRIED, "acc += v;", "r ^= acc;", but=IN_ORDER, **ACC),
    refused("setjmp", "its function calls setjmp or the like", "r += v;", outside=("fuzz_returns_twice();",)),
    refused(
        "fixed place",
        "every iteration reads and writes the same variable",
        "*global = *global * 3 + v;",
        but={**IN_ORDER, "inner": IN_MEMORY, "twice": IN_MEMORY},
    ),
)
ARRAYS = {
    "r8": "uint64_t", "r1": "uint8_t", "w8": "uint64_t", "w4": "uint32_t", "w2": "uint16_t", "w1": "uint8_t", "o8": "uint64_t",
    "hash": "uint64_t", "atoms": "uint64_t", "global": "uint64_t", "nodes": "struct node", "rows": "struct row", "table": "struct row",
}  # fmt: skip
REMOTE = ("r8", "r1", "w8", "w4", "w2", "w1", "atoms", "nodes", "rows", "table")


def placed(construct: Construct, position: str) -> list[str]:
    """The body of the loop. Names with @ are other ones each time."""

    def once(number: int) -> list[str]:
        return [line.replace("@", f"t{number}_") for line in construct.body]

    load = "uint64_t v = r8[(i * 7 + 1) & 1023];"
    if position == "before":
        return ["{", "  const uint64_t v = i * 5 + 1;", *indent(once(0)), "}", load, "r += v;"]
    if position == "behind":
        return [load, *once(0)]
    if position == "branch":
        return [load, "if (v % 3) {", *indent(once(0)), "}"]
    if position == "inner":
        return [load, "for (uint64_t j = 0; j < 3; ++j) {", "  v ^= r8[(v + j) & 1023];", *indent(once(0)), "}"]
    return [load, "{", *indent(once(0)), "}", "v += r8[v >> 9 & 1023];", "{", *indent(once(1)), "}"]


def kind(number: int, construct: Construct, position: str) -> Function:
    name = f"kind_{number}"
    text = " ".join((*construct.body, *construct.outside, construct.clauses))
    used = [array for array in ARRAYS if array in ("r8", "w8") or any(f"{array}{end}" in text for end in ("[", ",", ")", " =", " %", " *"))]
    marks = [f"__builtin_is_remote({array});" for array in used if array in REMOTE]
    body = [*marks, "uint64_t r = i;", *placed(construct, position), "w8[i] = r;"]
    lines = [
        f"// {construct.name}, {position}",
        f"uint64_t {name}(struct env *e, uint64_t n) {{",
        *(f"  {ARRAYS[array]} *__restrict {array} = e->{array};" for array in used),
        *indent(list(construct.outside)),
        f"  #pragma asyncmem num_task(16) {construct.clauses}",
        "  for (uint64_t i = 0; i < n; ++i) {",
        *indent(indent(body)),
        "  }",
        "  return 1" + "".join(f" + (uint64_t){result} * 31" for result in construct.results) + ";",
        "}",
    ]
    return Function(name, tuple(lines), TRIPS, (), "")


@dataclass(frozen=True)
class Kind:
    number: int
    construct: Construct
    position: str

    @property
    def function(self) -> Function:
        return kind(self.number, self.construct, self.position)


KINDS = tuple(Kind(number, construct, position) for number, (construct, position) in enumerate((c, p) for c in CONSTRUCTS for p in POSITIONS))


def wrong_verdict(expected: str, reason: str | None) -> bool:
    return expected not in reason if expected and reason is not None else bool(expected) != (reason is not None)


def check_kinds(oracle: Oracle) -> list[str]:
    """\\returns a line for each kind that gets another verdict, or computes something else, than it should."""
    wrong = []
    for cpp in (False, True):
        chosen = [each for each in KINDS if each.construct.cpp == cpp]
        for first in range(0, len(chosen), KINDS_PER_UNIT):
            part = chosen[first : first + KINDS_PER_UNIT]
            verdict = oracle.check(Unit(cpp, tuple(each.function for each in part)), f"kinds{part[0].number}", list(CONFIGS), 1)
            wrong += [f"{finding.loop} {finding.config.name}: {finding.kind}: {finding.detail}" for finding in verdict.findings]
            for config in CONFIGS:
                for each in part:
                    reason = verdict.serial.get((config.name, each.function.name))
                    expected = each.construct.expected(each.position)
                    if wrong_verdict(expected, reason):
                        what = f"{each.construct.name}, {each.position}"
                        wrong.append(f"kind_{each.number} ({what}) {config.name}: {reason or 'split'} instead of {expected or 'split'}")
    return wrong
