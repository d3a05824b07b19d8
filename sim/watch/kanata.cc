// SPDX-License-Identifier: Apache-2.0
#include "kanata.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace nhg {

namespace {

// One line of the log. Lines of a cycle come in the order of their phases: rows begin before arrows name them.
struct Line {
  enum Phase { kBegin, kStage, kArrow, kEnd };
  uint64_t cycle;
  Phase phase;
  size_t row;
  size_t order; // among those of its row
  std::string text;
};

std::string command(char name, size_t id, const std::string &arguments) {
  return std::string(1, name) + "\t" + std::to_string(id) + "\t" + arguments;
}

} // namespace

void Row::enter(uint64_t cycle, const char *name) {
  if (!stages.empty() && std::string(stages.back().name) == name)
    return;
  if (!stages.empty() && stages.back().cycle == cycle)
    stages.back().name = name;
  else
    stages.push_back({cycle, name});
}

void Row::close(uint64_t cycle, bool dropped_by_then) {
  end = cycle;
  dropped = dropped_by_then;
}

void KanataLog::open(uint64_t from, uint64_t to) {
  from_ = from;
  to_ = to;
}

bool KanataLog::keeps(const Row &row) const { return row.end > from_ && row.begin <= to_; }

bool KanataLog::write(FILE *file, uint64_t zero) const {
  auto rows = rows_;
  const auto shown = [&](uint64_t cycle) { return std::max(cycle, from_); };
  const auto key = [&](const Row &row) { return std::make_tuple(shown(row.begin), row.kind, row.number); };
  std::sort(rows.begin(), rows.end(), [&](const auto &a, const auto &b) { return key(*a) < key(*b); });

  std::map<const Row *, size_t> ids;
  for (size_t id = 0; id < rows.size(); id++)
    ids[rows[id].get()] = id;

  std::vector<Line> lines;
  for (size_t id = 0; id < rows.size(); id++) {
    const Row &row = *rows[id];
    const uint64_t begin = shown(row.begin);
    lines.push_back({begin, Line::kBegin, id, 0,
                     command('I', id, std::to_string(row.number) + "\t" + std::to_string(row.kind)) + "\n" +
                         command('L', id, "0\t" + row.label) + "\n" + command('L', id, "1\t" + row.detail)});
    for (size_t i = 0; i < row.stages.size(); i++) {
      const uint64_t cycle = shown(row.stages[i].cycle);
      const uint64_t next = i + 1 < row.stages.size() ? shown(row.stages[i + 1].cycle) : row.end;
      if (cycle < std::min(next, row.end)) // else it was over before the window, or did not come to it
        lines.push_back({cycle, Line::kStage, id, 0, command('S', id, std::string("0\t") + row.stages[i].name)});
    }
    for (size_t i = 0; i < row.arrows.size(); i++) {
      const Row::Arrow &arrow = row.arrows[i];
      const auto from = ids.find(arrow.from.lock().get());
      if (from != ids.end() && arrow.cycle >= begin && arrow.cycle <= row.end)
        lines.push_back({arrow.cycle, Line::kArrow, id, i, command('W', id, std::to_string(from->second) + "\t0")});
    }
    lines.push_back({row.end, Line::kEnd, id, 0, ""});
  }
  std::sort(lines.begin(), lines.end(), [](const Line &a, const Line &b) {
    return std::make_tuple(a.cycle, a.phase, a.row, a.order) < std::make_tuple(b.cycle, b.phase, b.row, b.order);
  });

  std::array<uint64_t, Row::kGroup + 1> retired{}; // the next number, by kind
  uint64_t now = from_;
  fprintf(file, "Kanata\t0004\nC=\t%llu\n", static_cast<unsigned long long>(now - zero));
  for (const Line &line : lines) {
    if (line.cycle != now)
      fprintf(file, "C\t%llu\n", static_cast<unsigned long long>(line.cycle - now));
    now = line.cycle;
    if (line.phase == Line::kEnd) {
      const Row &row = *rows[line.row];
      uint64_t &number = retired[row.kind];
      fprintf(file, "R\t%zu\t%llu\t%d\n", line.row, static_cast<unsigned long long>(number), row.dropped ? 1 : 0);
      number += row.dropped ? 0 : 1;
    } else
      fprintf(file, "%s\n", line.text.c_str());
  }
  return !ferror(file);
}

} // namespace nhg
