#include "command/data/memory_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/failure.hpp"
#include "base/memory/process_memory.hpp"
#include "command/data/memory_estimate.hpp"

namespace sculpt::core {
namespace {

// Planes stay in memory if this many times their expected size fits: estimates may be too small.
constexpr double safety_factor = 2;

// Smaller parts are left out of the table.
constexpr double min_printed_bytes = 5e4;

std::int64_t mappable_bytes(const std::vector<MemoryPart>& parts) {
  double sum = 0;
  for (const MemoryPart& part : parts) sum += part.is_mappable ? part.bytes : 0;
  return static_cast<std::int64_t>(sum);
}

std::string line(const std::string& name, std::int64_t bytes, const std::string& place) {
  char text[96];
  std::snprintf(text, sizeof text, "  %-22s %9s   ", name.c_str(), memory_text(bytes).c_str());
  return text + place;
}

// The smallest key that allows the run, with planes in files. psi of the truths take a share of it.
std::int64_t least_allowed(const MemoryPlan& plan) {
  double kept = static_cast<double>(plan.used - plan.truths);
  for (const MemoryPart& part : plan.parts) kept += part.is_mappable ? 0 : part.bytes;
  const double share = 1 / static_cast<double>(Problem::part_of_memory_for_truths);
  const auto most_truths = static_cast<double>(TruthVectors::usual_max_bytes);
  const double least = std::min(kept / (1 - share), kept + most_truths);
  // A run that resumes reads more: its checkpoint.
  constexpr double rounding = 1.1;
  constexpr double megabyte = 1e6;
  return static_cast<std::int64_t>(megabyte * std::ceil(rounding * least / megabyte + 2));
}

std::string sum_text(const MemoryPlan& plan) {
  const std::int64_t expected = plan.used + static_cast<std::int64_t>(plan.kept_bytes());
  return memory_text(plan.allowed) + " are allowed, " + memory_text(expected) +
         " are expected to be used";
}

std::vector<std::string> table_of(const MemoryPlan& plan) {
  const std::string files = "in files in " + plan.folder;
  std::vector<std::string> lines = {
      line("read so far", plan.used - plan.truths, "in memory: labels, names, the program"),
      line("psi of truths", plan.truths, "in memory; others are computed again")};
  for (const MemoryPart& part : plan.parts) {
    if (part.bytes < min_printed_bytes) continue;
    lines.push_back(line(part.name, static_cast<std::int64_t>(part.bytes),
                         part.is_mappable && plan.maps_planes ? files : "in memory"));
  }
  lines.push_back(line("rows of the data", plan.rows, "in files in " + plan.rows_folder));
  return lines;
}

}  // namespace

double MemoryPlan::kept_bytes() const {
  double sum = 0;
  for (const MemoryPart& part : parts) sum += part.is_mappable && maps_planes ? 0 : part.bytes;
  return sum;
}

MemoryPlan memory_plan(Problem& problem, const ProblemStatistics& statistics, const Solver& solver,
                       std::int64_t allowed) {
  MemoryPlan plan;
  plan.allowed = allowed;
  plan.used = process_memory().anonymous;
  plan.truths = problem.truth_bytes();
  plan.parts = solver.memory_parts(statistics);
  const double with_doubts =
      plan.kept_bytes() + (safety_factor - 1) * static_cast<double>(mappable_bytes(plan.parts));
  plan.maps_planes = static_cast<double>(plan.used) + with_doubts > static_cast<double>(allowed) &&
                     mappable_bytes(plan.parts) > 0;
  const FileStorage& storage = *problem.services().storage();
  plan.folder = storage.folder().string();
  const CacheFile* const cache = problem.cache_file();
  plan.rows = cache == nullptr ? storage.bytes() : cache->bytes();
  plan.rows_folder = cache == nullptr ? plan.folder : cache->path().parent_path().string();
  return plan;
}

std::vector<std::string> memory_plan_lines(const MemoryPlan& plan) {
  std::vector<std::string> lines = table_of(plan);
  lines.insert(lines.begin(), "memory: " + sum_text(plan));
  return lines;
}

void require_plan_fits(const MemoryPlan& plan, const ProblemStatistics& statistics,
                       const SolverDescriptor& descriptor, const Solver& solver) {
  if (static_cast<double>(plan.used) + plan.kept_bytes() <= static_cast<double>(plan.allowed)) {
    return;
  }
  const std::string vector_bytes =
      memory_text(static_cast<std::int64_t>(statistics.vector_bytes()));
  std::string table;
  for (const std::string& row : table_of(plan)) table += "\n" + row;
  throw Failure(
      Exit::config,
      "\"memory\": " + sum_text(plan) + "; allow at least " + memory_text(least_allowed(plan)),
      table + "\n  or use less: " + memory_advice(descriptor, solver) +
          "; each vector of weights takes " + vector_bytes);
}

}  // namespace sculpt::core
