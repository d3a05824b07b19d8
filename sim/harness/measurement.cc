// SPDX-License-Identifier: Apache-2.0
#include "measurement.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace nhg {

namespace {

using ull = unsigned long long;

double ratio(uint64_t numerator, uint64_t denominator) {
  return denominator ? double(numerator) / double(denominator) : 0.0;
}

double seconds(const Sample &from, const Sample &to) {
  return std::chrono::duration<double>(to.wall - from.wall).count();
}

// Keys of the result, in the order of the delayer's counters.
const char *const kFarNames[kFarCounters] = {
    "reads", "writes", "read_bytes", "write_bytes", "inflight_integral", "busy_cycles", "inflight_max", "late",
    "read_latency_sum", "read_latency_min", "read_latency_max",
    "write_latency_sum", "write_latency_min", "write_latency_max",
    "read_stall_core", "read_stall_bandwidth", "read_stall_slots", "read_stall_room", "read_stall_memory",
    "read_stall_late",
    "write_stall_core", "write_stall_bandwidth", "write_stall_slots", "write_stall_room", "write_stall_memory",
    "write_stall_late", "cycles"};

// The others are sums. The counters are cleared where the region begins.
bool isExtreme(const std::string &name) {
  return name == "inflight_max" || name.find("latency_min") != name.npos || name.find("latency_max") != name.npos;
}

std::string partial(const std::string &path) { return path + ".partial"; }

} // namespace

void Measurement::start(const Sample &sample) { start_ = sample; }

void Measurement::begin(const Sample &sample) {
  begin_ = window_ = sample;
  in_region_ = true;
  has_region_ = false;
  peak_integral_ = peak_busy_ = 0;
}

void Measurement::end(const Sample &sample) {
  if (!in_region_)
    return;
  end_ = sample;
  in_region_ = false;
  has_region_ = true;
}

void Measurement::window(const Sample &sample) {
  uint64_t integral = sample.far[kInflightIntegral] - window_.far[kInflightIntegral];
  if (integral > peak_integral_) {
    peak_integral_ = integral;
    peak_busy_ = sample.far[kBusyCycles] - window_.far[kBusyCycles];
  }
  window_ = sample;
}

void Measurement::prepare(const std::string &path) {
  FILE *file = fopen(partial(path).c_str(), "w");
  if (!file)
    throw std::runtime_error("cannot write the result " + path + ": " + strerror(errno));
  fclose(file);
  remove(partial(path).c_str());
  remove(path.c_str());
}

void Measurement::write(const std::string &path, const Options &options, const HostInterface &host,
                        const Sample &last) const {
  const Sample &from = has_region_ ? begin_ : start_;
  const Sample &to = has_region_ ? end_ : last;
  auto far = [&](FarCounter counter) { return to.far[counter] - from.far[counter]; };
  double mlp_mean = ratio(far(kInflightIntegral), far(kBusyCycles));
  double mlp_busiest = peak_busy_ ? ratio(peak_integral_, peak_busy_) : mlp_mean;

  FILE *file = fopen(partial(path).c_str(), "w");
  if (!file)
    throw std::runtime_error("cannot write the result " + path + ": " + strerror(errno));
  auto integer = [&](const char *name, uint64_t value) { fprintf(file, "  \"%s\": %llu,\n", name, ull(value)); };
  auto real = [&](const char *name, double value) { fprintf(file, "  \"%s\": %.6g,\n", name, value); };
  fprintf(file, "{\n");
  integer("exit_code", host.exit_value);
  fprintf(file, "  \"has_region\": %s,\n  \"lockstep\": %s,\n", has_region_ ? "true" : "false",
          options.lockstep ? "true" : "false");
  integer("latency_cycles", options.latency_cycles);
  integer("bandwidth_fixed", options.bandwidth);
  integer("bandwidth_mode", options.bandwidth_mode);
  integer("jitter_model", options.jitter_model);
  integer("seed", options.seed);
  integer("cycles", to.cycle - from.cycle);
  integer("instret", to.instret - from.instret);
  integer("total_cycles", last.cycle - start_.cycle);
  integer("total_instret", last.instret - start_.instret);
  fprintf(file, "  \"far\": {");
  for (size_t i = 0; i < to.far.size(); i++)
    fprintf(file, "%s\"%s\": %llu", i ? ", " : "", kFarNames[i],
            ull(isExtreme(kFarNames[i]) ? to.far[i] : far(FarCounter(i))));
  fprintf(file, "},\n");
  real("mlp_mean", mlp_mean);
  real("mlp_busiest", mlp_busiest);

  const std::string breakdown_prefix = "cycles_";
  std::string breakdown, probes;
  for (size_t i = 0; i < probe_names_.size(); i++) {
    std::string name = probe_names_[i];
    bool is_cycles = name.rfind(breakdown_prefix, 0) == 0;
    if (is_cycles)
      name.erase(0, breakdown_prefix.size());
    std::string &list = is_cycles ? breakdown : probes;
    list += (list.empty() ? "\"" : ", \"") + name + "\": " + std::to_string(to.probes[i] - from.probes[i]);
  }
  fprintf(file, "  \"cycle_breakdown\": {%s},\n  \"probes\": {%s},\n", breakdown.c_str(), probes.c_str());

  fprintf(file, "  \"metrics\": [");
  for (size_t i = 0; i < host.metrics.size(); i++)
    fprintf(file, "%s%llu", i ? ", " : "", ull(host.metrics[i]));
  fprintf(file, "],\n");
  double wall = seconds(start_, last);
  real("host_seconds", wall);
  fprintf(file, "  \"sim_khz\": %.6g\n}\n", wall > 0 ? double(last.cycle - start_.cycle) / wall / 1000 : 0.0);

  bool failed = ferror(file) != 0;
  failed = fclose(file) != 0 || failed;
  if (failed || rename(partial(path).c_str(), path.c_str()) != 0) {
    remove(partial(path).c_str());
    throw std::runtime_error("cannot write the result " + path + ": " + strerror(errno));
  }
}

} // namespace nhg
