#include "objective/example_mean.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/file/memory_state_reader.hpp"
#include "parallel/blocks.hpp"
#include "parallel/ranks/rank_sum.hpp"
#include "parallel/sum_tree.hpp"

namespace sculpt::core {
namespace {

// The limit for all chunk sums together, in numbers: 256 MB. But there are at least four chunks, so
// that four threads have work. A chunk is no larger than w or a plane of one_slack.
constexpr std::int64_t max_chunk_numbers = std::int64_t{1} << 25;
constexpr std::int64_t min_chunks = 4;
constexpr std::int64_t max_chunks = 64;

constexpr const char* sum_step = "sums over the examples";

}  // namespace

std::int64_t ExampleMean::chunk_count(std::int64_t examples, std::int64_t dimension) {
  const std::int64_t chunks = std::clamp(max_chunk_numbers / dimension, min_chunks, max_chunks);
  return std::min(chunks, examples);
}

std::int64_t ExampleMean::bytes(std::int64_t examples, std::int64_t dimension, int threads,
                                const Ranks* ranks) {
  const std::int64_t chunks = chunk_count(examples, dimension);
  // Ranks keep all own chunks, and what they tell each other of them.
  const std::int64_t vectors = ranks == nullptr ? NodeSums::max_vectors(chunks, threads)
                                                : 2 * ((chunks - 1) / ranks->count() + 1);
  return static_cast<std::int64_t>(sizeof(double)) * dimension * (vectors + 1);
}

ExampleMean::Shared ExampleMean::shared_numbers(const std::vector<std::vector<double>*>& arrays) {
  const auto size_of = [](std::int64_t begin, std::int64_t end) {
    return static_cast<std::size_t>(end - begin) * sizeof(double);
  };
  return {[arrays, size_of](std::int64_t begin, std::int64_t end, StateWriter& out) {
            for (const std::vector<double>* const one : arrays) {
              out.write({reinterpret_cast<const char*>(one->data() + begin), size_of(begin, end)});
            }
          },
          [arrays, size_of](std::int64_t begin, std::int64_t end, StateReader& in) {
            for (std::vector<double>* const one : arrays) {
              in.read(reinterpret_cast<char*>(one->data() + begin), size_of(begin, end));
            }
          }};
}

// The first example of a chunk.
std::int64_t ExampleMean::first_of(std::int64_t chunk) const {
  return begin_of_part(examples_, std::ssize(chunks_), chunk);
}

void ExampleMean::add_up(std::int64_t examples, std::int64_t dimension, const AddRange& add_range,
                         const Tasks& tasks, const Shared& shared) {
  const std::int64_t chunks = chunk_count(examples, dimension);
  chunks_.resize(static_cast<std::size_t>(chunks));
  examples_ = examples;
  dimension_ = dimension;
  // Each rank tells the others its nodes of the tree, and RankSum adds them.
  sums_.start(chunks, ranks_ == nullptr);
  MeasuredStep measured(work_, sum_step, chunks);
  group_ = measured.group();
  if (ranks_ == nullptr) {
    measured.time([&] { add_chunks(0, chunks, add_range, tasks, nullptr); });
    if (work_ != nullptr) {
      const double adding =
          sums_.adding_seconds() / (workers_ == nullptr ? 1 : workers_->threads());
      work_->group(group_).adding_seconds += adding;
      measured.add_seconds(-adding);
    }
    if (measured.is_measured()) {
      ByteCounter counter;
      save_chunks(0, 1, shared, counter);
      measured.add_bytes(counter.bytes() * static_cast<double>(chunks));
    }
    return;
  }
  share_chunks(add_range, tasks, shared, measured);
}

// Fills the chunks [begin, end).
void ExampleMean::add_chunks(std::int64_t begin, std::int64_t end, const AddRange& add_range,
                             const Tasks& tasks, StepParts* parts) {
  const auto add_chunk = [&](std::int64_t k, int worker) {
    Chunk& chunk = chunks_[static_cast<std::size_t>(k)];
    chunk.a = sums_.take_vector();
    chunk.a.assign(static_cast<std::size_t>(dimension_), 0.0);
    chunk.b = 0;
    chunk.max_squared_norm = 0;
    chunk.counts = {};
    add_range(first_of(k), first_of(k + 1), worker, chunk);
    sums_.add_part(k, std::exchange(chunk.a, Vector()));
  };
  const auto task = [&](std::int64_t from, std::int64_t to, int worker) {
    const ItemTimer timer(parts, begin + from, begin + to);
    if (tasks.announce) tasks.announce(first_of(begin + from), first_of(begin + to), worker);
    for (std::int64_t k = begin + from; k < begin + to; ++k) add_chunk(k, worker);
  };
  const std::int64_t chunks_of_task = std::max<std::int64_t>(
      tasks.examples * std::ssize(chunks_) / std::max<std::int64_t>(examples_, 1), 1);
  if (workers_ != nullptr) return workers_->run_ranges(end - begin, chunks_of_task, task);
  task(0, end - begin, 0);
}

// Fills the own chunks, and tells the other ranks all but their vectors.
void ExampleMean::share_chunks(const AddRange& add_range, const Tasks& tasks, const Shared& shared,
                               MeasuredStep& measured) {
  StepParts parts = ranks_->balance().divide(sum_step, std::ssize(chunks_), std::identity());
  borders_ = parts.borders;
  StateBuffer own;
  const std::vector<std::string_view>& all = ranks_->gather(sum_step, [&] {
    const Stopwatch watch;
    measured.time(
        [&] { add_chunks(parts.own_begin(), parts.own_end(), add_range, tasks, &parts); });
    parts.end_own(watch.seconds());
    parts.save_seconds(own);
    save_chunks(parts.own_begin(), parts.own_end(), shared, own);
    return own.bytes();
  });
  for (const std::string_view one : all) measured.add_bytes(static_cast<double>(one.size()));
  for (int rank = 0; rank < ranks_->count(); ++rank) {
    ViewStateReader in(all[static_cast<std::size_t>(rank)]);
    parts.load_seconds(rank, in);
    if (rank == ranks_->rank()) continue;
    for (std::int64_t k = parts.begin_of(rank); k < parts.end_of(rank); ++k) {
      Chunk& chunk = chunks_[static_cast<std::size_t>(k)];
      chunk.b = in.get<double>();
      chunk.max_squared_norm = in.get<double>();
      chunk.counts.load(in);
    }
    if (shared.load) shared.load(first_of(parts.begin_of(rank)), first_of(parts.end_of(rank)), in);
  }
  ranks_->balance().learn(parts);
}

// All but the vectors of the chunks [begin, end).
void ExampleMean::save_chunks(std::int64_t begin, std::int64_t end, const Shared& shared,
                              StateWriter& out) const {
  for (std::int64_t k = begin; k < end; ++k) {
    const Chunk& chunk = chunks_[static_cast<std::size_t>(k)];
    out.put(chunk.b);
    out.put(chunk.max_squared_norm);
    chunk.counts.save(out);
  }
  if (shared.save) shared.save(first_of(begin), first_of(end), out);
}

void ExampleMean::mean(Vector& out) {
  out.resize(static_cast<std::size_t>(dimension_));
  const Stopwatch watch;
  const double earlier_transfer = ranks_ == nullptr ? 0 : ranks_->costs().transfer_seconds;
  if (ranks_ != nullptr) {
    add_over_ranks(out);
  } else {
    add_vectors(out);
  }
  const auto n = static_cast<double>(examples_);
  for_each_block(workers_, out.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) out[j] /= n;
  });
  if (work_ == nullptr) return;
  const double transfer =
      ranks_ == nullptr ? 0 : ranks_->costs().transfer_seconds - earlier_transfer;
  StepGroup& group = work_->group(group_);
  group.adding_seconds += watch.seconds() - transfer;
  group.vector_bytes = dimension_ * static_cast<std::int64_t>(sizeof(double));
}

// out[dimension] = the sum of the chunks of all ranks.
void ExampleMean::add_over_ranks(Vector& out) {
  const auto chunk_at = [this](std::int64_t k) { return sums_.find(k, k + 1); };
  RankSum(*ranks_, workers_).add_up(borders_, chunk_at, out);
}

// out[dimension] = the sum of the chunks.
void ExampleMean::add_vectors(Vector& out) const {
  for_each_block(workers_, out.size(), [&](std::size_t begin, std::size_t end) {
    VectorTreeSum().sum_range(
        0, std::ssize(chunks_), begin, end,
        [&](std::int64_t from, std::int64_t to, std::size_t j) {
          const double* const known = sums_.find(from, to);
          return known == nullptr ? nullptr : known + j;
        },
        out.data());
  });
}

void ExampleMean::mean(JointSeparation& out) {
  mean(out.a);
  const auto b_of = [&](std::int64_t k) { return chunks_[static_cast<std::size_t>(k)].b; };
  out.b = tree_sum(0, std::ssize(chunks_), b_of) / static_cast<double>(examples_);
  out.max_squared_norm = 0;
  out.counts = {};
  for (const Chunk& chunk : chunks_) {
    out.max_squared_norm = std::max(out.max_squared_norm, chunk.max_squared_norm);
    out.counts += chunk.counts;
  }
}

}  // namespace sculpt::core
