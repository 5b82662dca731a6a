// example_mean.hpp - the mean of planes or other vectors over all examples, on all threads and
// ranks.
//
// Held by ProblemPlanes for joint planes of new answers, by PlaneCache for joint planes of stored
// planes, and by ProblemExpectations. The result does not depend on the number of threads or ranks.
// Only n and the dimension decide how the examples are divided into ranges. The sums of the ranges
// are added along a fixed tree (parallel/sum_tree.hpp), while later ranges are summed. So few of
// these vectors are in memory at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/file/state_stream.hpp"
#include "linalg/vector.hpp"
#include "objective/plane.hpp"
#include "parallel/node_sums.hpp"
#include "parallel/ranks/divided_work.hpp"
#include "parallel/ranks/ranks.hpp"
#include "parallel/workers.hpp"

namespace sculpt::core {

class ExampleMean {
 public:
  // The sums over one range of the examples.
  struct Chunk {
    Vector a;  // [dimension] while it is filled
    double b = 0;
    double max_squared_norm = 0;  // the largest ||a_i||^2, as in JointSeparation
    AnswerCounts counts;
  };
  // Adds the examples [begin, end) to a chunk of zeros.
  using AddRange =
      std::function<void(std::int64_t begin, std::int64_t end, int worker, Chunk& chunk)>;

  // How ranges are given to the threads. The result does not depend on it.
  struct Tasks {
    // A task has neighbouring ranges with about this many examples, but at least one range.
    std::int64_t examples = 1;
    // Called at the begin of a task whose ranges are [begin, end) together. May be empty.
    std::function<void(std::int64_t begin, std::int64_t end, int worker)> announce;
  };

  // What a rank tells the others about its examples [begin, end), beside their sums.
  struct Shared {
    std::function<void(std::int64_t begin, std::int64_t end, StateWriter& out)> save;
    std::function<void(std::int64_t begin, std::int64_t end, StateReader& in)> load;
  };

  // Shares arrays of a number for each example. They outlive what it returns.
  static Shared shared_numbers(const std::vector<std::vector<double>*>& arrays);

  // The workers must outlive this; nullptr: only this thread. So must the ranks, if each has its
  // part of the examples; nullptr: this process has all.
  explicit ExampleMean(Workers* workers, const Division& division = nullptr)
      : workers_(workers), ranks_(division.ranks), work_(division.work) {}

  // The number of chunks; each has `dimension` numbers.
  static std::int64_t chunk_count(std::int64_t examples, std::int64_t dimension);

  // The bytes of the vectors that are in memory at a time, at most, and of the mean.
  static std::int64_t bytes(std::int64_t examples, std::int64_t dimension, int threads,
                            const Ranks* ranks);

  // Calls add_range() for every range of the examples, on all threads.
  void add_up(std::int64_t examples, std::int64_t dimension, const AddRange& add_range) {
    add_up(examples, dimension, add_range, Tasks(), Shared());
  }
  void add_up(std::int64_t examples, std::int64_t dimension, const AddRange& add_range,
              const Tasks& tasks, const Shared& shared);

  // out[dimension] = the mean of a over the examples. Once for each add_up().
  void mean(Vector& out);
  // Sets a, b, max_squared_norm and the counts of `out` likewise. Does not change the rest.
  void mean(JointSeparation& out);

 private:
  std::int64_t first_of(std::int64_t chunk) const;
  void add_chunks(std::int64_t begin, std::int64_t end, const AddRange& add_range,
                  const Tasks& tasks, StepParts* parts);
  void share_chunks(const AddRange& add_range, const Tasks& tasks, const Shared& shared,
                    MeasuredStep& measured);
  void save_chunks(std::int64_t begin, std::int64_t end, const Shared& shared,
                   StateWriter& out) const;
  void add_over_ranks(Vector& out);
  void add_vectors(Vector& out) const;

  Workers* workers_;
  Ranks* ranks_;
  DividedWork* work_;          // nullptr: nothing is measured
  std::size_t group_ = 0;      // of the last add_up() in *work_
  std::vector<Chunk> chunks_;  // without `a`
  NodeSums sums_;              // of `a`; of several ranks the own ones
  PartBorders borders_;        // which chunks each rank has
  std::int64_t examples_ = 0;
  std::int64_t dimension_ = 0;
};

}  // namespace sculpt::core
