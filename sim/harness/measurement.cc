// SPDX-License-Identifier: Apache-2.0
#include "measurement.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace nhg {

namespace {

std::string partial(const std::string &path) { return path + ".partial"; }

// A JSON array of numbers.
template <typename Numbers> std::string list(const Numbers &numbers) {
  std::string text;
  for (uint64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "[" + text + "]";
}

std::string list(const std::optional<Counters> &counters) { return counters ? list(*counters) : "null"; }

std::string quoted(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "\"" : ", \"") + name + "\"";
  return "[" + text + "]";
}

[[noreturn]] void cannotWrite(const std::string &path) {
  throw std::runtime_error("cannot write the result " + path + ": " + strerror(errno));
}

} // namespace

Measurement::Measurement(std::vector<std::string> names)
    : names_(std::move(names)), cycles_(std::count_if(names_.begin(), names_.end(), [](const std::string &name) {
        return name.rfind("cycles_", 0) == 0;
      })) {
  const auto index = [this](const char *name) {
    return size_t(std::find(names_.begin(), names_.end(), name) - names_.begin());
  };
  integral_ = index("far_inflight_integral");
  busy_ = index("far_busy_cycles");
}

void Measurement::begin(Counters counters) {
  begin_ = window_ = std::move(counters);
  end_.reset();
  peak_integral_ = peak_busy_ = 0;
  cycles_.clear();
}

void Measurement::end(Counters counters) {
  if (begin_ && !end_)
    end_ = std::move(counters);
}

void Measurement::window(const Counters &counters) {
  const uint64_t integral = counters[integral_] - window_[integral_];
  if (integral > peak_integral_) {
    peak_integral_ = integral;
    peak_busy_ = counters[busy_] - window_[busy_];
  }
  window_ = counters;
}

void Measurement::prepare(const std::string &path) {
  FILE *file = fopen(partial(path).c_str(), "w");
  if (!file)
    cannotWrite(path);
  fclose(file);
  remove(partial(path).c_str());
  remove(path.c_str());
}

void Measurement::write(const std::string &path, const Options &options, const HostInterface &host,
                        const Counters &now) const {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  FILE *file = fopen(partial(path).c_str(), "w");
  if (!file)
    cannotWrite(path);
  fprintf(file, "{\n  \"exit_code\": %s,\n  \"lockstep\": %s,\n  \"seed\": %s,\n",
          std::to_string(host.exit_value).c_str(), options.lockstep ? "true" : "false",
          std::to_string(options.seed).c_str());
  fprintf(file, "  \"counters\": %s,\n", quoted(names_).c_str());
  fprintf(file, "  \"begin\": %s,\n  \"end\": %s,\n  \"now\": %s,\n", list(begin_).c_str(), list(end_).c_str(),
          list(now).c_str());
  fprintf(file, "  \"peak_integral\": %s,\n  \"peak_busy\": %s,\n", std::to_string(peak_integral_).c_str(),
          std::to_string(peak_busy_).c_str());
  fprintf(file, "  \"cycles_by_pc\": [");
  const char *separator = "\n";
  for (const auto &[pc, row] : cycles_.rows()) {
    fprintf(file, "%s    [%s, %s]", separator, std::to_string(pc).c_str(), list(row).c_str());
    separator = ",\n";
  }
  fprintf(file, "],\n");
  fprintf(file, "  \"metrics\": %s,\n  \"host_seconds\": %.6g\n}\n", list(host.metrics).c_str(), seconds);
  const bool failed = ferror(file) != 0;
  if (fclose(file) != 0 || failed || rename(partial(path).c_str(), path.c_str()) != 0) {
    const int reason = errno;
    remove(partial(path).c_str());
    errno = reason;
    cannotWrite(path);
  }
}

} // namespace nhg
