// boundary_call - the argmax of every training example, to count instructions.
//
//   boundary_call shipped|compiled EXPERIMENT PASSES
//
// Prints a checksum of the outputs. It must be the same for `shipped` and `compiled`.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>

#include "loaded_problem.hpp"
#include "two_ways.hpp"

namespace {

using namespace sculpt::core;

class Checksum {
 public:
  void add(const sculpt_labels& labels) {
    for (const std::int32_t label : std::span(labels.data, static_cast<std::size_t>(labels.size))) {
      sum_ = sum_ * 31 + static_cast<std::uint32_t>(label);
    }
  }
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

template <class Oracle>
std::uint64_t solve_all(Oracle&& oracle, const Problem& problem, const Vector& w, int passes) {
  const ExampleList& train = problem.training();
  Answer answer;
  Checksum checksum;
  for (int pass = 0; pass < passes; ++pass) {
    for (std::int64_t k = 0; k < train.size(); ++k) {
      oracle.argmax(train[k], w, answer);
      checksum.add(answer.labels());
    }
  }
  return checksum.sum();
}

std::uint64_t run(const std::string& mode, const std::string& path, int passes) {
  bench::LoadedProblem loaded(JsonDocument::read(path), SCULPT_BENCH_PLUGINS);
  Problem& problem = *loaded;
  const Vector w = bench::some_weights(problem.dimension());
  if (mode == "shipped") return solve_all(bench::Shipped(problem), problem, w, passes);
  if (mode == "compiled") return solve_all(bench::Compiled(problem), problem, w, passes);
  throw std::invalid_argument("there is no way '" + mode + "'; use shipped or compiled");
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::fprintf(stderr, "usage: boundary_call shipped|compiled EXPERIMENT PASSES\n");
    return EXIT_FAILURE;
  }
  try {
    const std::uint64_t sum = run(arguments[1], arguments[2], std::atoi(arguments[3]));
    std::printf("%llu\n", static_cast<unsigned long long>(sum));
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "boundary_call: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
