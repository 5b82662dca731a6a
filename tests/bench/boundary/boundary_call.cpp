// boundary_call - argmax of every example of the split train, for counting instructions.
//
//   boundary_call shipped|compiled EXPERIMENT PASSES
//
// Prints a checksum of the outputs, for both ways must find the same.

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

template <class Way>
std::uint64_t ask_all(Way&& way, const Problem& problem, const Vector& w, int passes) {
  const ExampleList& train = problem.training();
  Answer answer;
  Checksum checksum;
  for (int pass = 0; pass < passes; ++pass) {
    for (std::int64_t k = 0; k < train.size(); ++k) {
      way.ask(train[k], w, answer);
      checksum.add(answer.labels());
    }
  }
  return checksum.sum();
}

std::uint64_t run(const std::string& mode, const std::string& path, int passes) {
  bench::LoadedProblem loaded(JsonDocument::read(path), SCULPT_BENCH_PLUGINS);
  Problem& problem = *loaded;
  const Vector w = bench::some_weights(problem.dimension());
  if (mode == "shipped") return ask_all(bench::Shipped(problem), problem, w, passes);
  if (mode == "compiled") return ask_all(bench::Compiled(problem), problem, w, passes);
  throw std::invalid_argument("there is no way '" + mode + "'; use shipped or compiled");
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) {
    std::fprintf(stderr, "usage: boundary_call shipped|compiled EXPERIMENT PASSES\n");
    return EXIT_FAILURE;
  }
  try {
    const std::uint64_t sum = run(words[1], words[2], std::atoi(words[3]));
    std::printf("%llu\n", static_cast<unsigned long long>(sum));
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "boundary_call: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
