// example_mean.hpp - the mean of planes or other vectors over all examples, on all threads.
//
// Held by ProblemPlanes for joint planes of fresh answers, by PlaneCache for those of kept planes,
// and by ProblemExpectations for mean expectations. The result does not depend on the number of
// threads: n and the dimension alone decide how examples are cut into ranges, and the sums over the
// ranges are added in the order of the examples.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "linalg/vector.hpp"
#include "objective/plane.hpp"
#include "parallel/workers.hpp"

namespace sculpt::core {

class ExampleMean {
 public:
  // Of one range of the examples.
  struct Chunk {
    Vector a;  // [dimension]
    double b = 0;
    double longest = 0;  // as JointSeparation has it
    AnswerCounts counts;
  };
  // Adds the examples [begin, end) to a chunk of zeros.
  using Part = std::function<void(std::int64_t begin, std::int64_t end, int worker, Chunk& chunk)>;

  // Outlives this; nullptr: this thread alone.
  explicit ExampleMean(Workers* workers) : workers_(workers) {}

  // How many chunks there are, of `dimension` numbers each.
  static std::int64_t chunk_count(std::int64_t examples, std::int64_t dimension);

  void add_up(std::int64_t examples, std::int64_t dimension, const Part& part);

  // Behind add_up(): out[dimension], the mean of a over the examples.
  void mean(Vector& out) const;
  // The same of a, b, longest and the counts of `out`. The rest is left alone.
  void mean(JointSeparation& out) const;

 private:
  Workers* workers_;
  std::vector<Chunk> chunks_;
  std::int64_t examples_ = 0;
};

}  // namespace sculpt::core
