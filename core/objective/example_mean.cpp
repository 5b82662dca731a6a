#include "objective/example_mean.hpp"

#include <algorithm>

namespace sculpt::core {
namespace {

// The limit for all chunk sums together, in numbers: 256 MB. But there are at least four chunks, so
// that four threads have work. A chunk is no larger than w or a plane of one_slack.
constexpr std::int64_t max_chunk_numbers = std::int64_t{1} << 25;
constexpr std::int64_t min_chunks = 4;
constexpr std::int64_t max_chunks = 64;

constexpr std::int64_t weights_per_task = 8192;

}  // namespace

std::int64_t ExampleMean::chunk_count(std::int64_t examples, std::int64_t dimension) {
  const std::int64_t chunks = std::clamp(max_chunk_numbers / dimension, min_chunks, max_chunks);
  return std::min(chunks, examples);
}

void ExampleMean::add_up(std::int64_t examples, std::int64_t dimension, const AddRange& add_range,
                         const Tasks& tasks) {
  const std::int64_t chunks = chunk_count(examples, dimension);
  chunks_.resize(static_cast<std::size_t>(chunks));
  examples_ = examples;
  const auto first_of = [&](std::int64_t k) { return examples * k / chunks; };
  const auto add_chunk = [&](std::int64_t k, int worker) {
    Chunk& chunk = chunks_[static_cast<std::size_t>(k)];
    chunk.a.assign(static_cast<std::size_t>(dimension), 0.0);
    chunk.b = 0;
    chunk.max_squared_norm = 0;
    chunk.counts = {};
    add_range(first_of(k), first_of(k + 1), worker, chunk);
  };
  const auto task = [&](std::int64_t begin, std::int64_t end, int worker) {
    if (tasks.announce) tasks.announce(first_of(begin), first_of(end), worker);
    for (std::int64_t k = begin; k < end; ++k) add_chunk(k, worker);
  };
  const std::int64_t chunks_of_task =
      std::max<std::int64_t>(tasks.examples * chunks / std::max<std::int64_t>(examples, 1), 1);
  if (workers_ != nullptr) return workers_->run_ranges(chunks, chunks_of_task, task);
  task(0, chunks, 0);
}

void ExampleMean::mean(Vector& out) const {
  const auto n = static_cast<double>(examples_);
  const auto dimension = static_cast<std::int64_t>(chunks_.front().a.size());
  out.resize(chunks_.front().a.size());
  const auto range = [&](std::int64_t begin, std::int64_t end, int) {
    for (auto j = static_cast<std::size_t>(begin); j < static_cast<std::size_t>(end); ++j) {
      double sum = 0;
      for (const Chunk& chunk : chunks_) sum += chunk.a[j];
      out[j] = sum / n;
    }
  };
  if (workers_ != nullptr) {
    workers_->run_ranges(dimension, weights_per_task, range);
  } else {
    range(0, dimension, 0);
  }
}

void ExampleMean::mean(JointSeparation& out) const {
  mean(out.a);
  out.b = 0;
  out.max_squared_norm = 0;
  out.counts = {};
  for (const Chunk& chunk : chunks_) {
    out.b += chunk.b;
    out.max_squared_norm = std::max(out.max_squared_norm, chunk.max_squared_norm);
    out.counts += chunk.counts;
  }
  out.b /= static_cast<double>(examples_);
}

}  // namespace sculpt::core
