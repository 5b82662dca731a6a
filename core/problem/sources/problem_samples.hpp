// problem_samples.hpp - random outputs of a Problem's training examples, for the solvers of
// moments.
//
// Made by ProblemPorts. The oracle draws them at w = 0 (output_series.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "objective/sample_source.hpp"
#include "problem/sources/training_source.hpp"

namespace sculpt::core {

class ProblemSamples : public ProblemPort<SampleSource> {
 public:
  // Returns why the problem does not offer samples, or "".
  static std::string obstacle(Problem& problem);
  // Requires obstacle(problem) == "".
  ProblemSamples(Problem& problem, std::uint64_t run_seed)
      : ProblemPort(problem, run_seed, problem.oracle().component()) {}

  void draw(std::int64_t count, bool with_losses, const Pass& pass,
            std::vector<OutputSamples>& out) override;
  std::int64_t calls_of_draw() const override;

 private:
  // Memory of one worker.
  struct WorkerScratch {
    explicit WorkerScratch(std::int64_t dimension) : accumulator(dimension), sum(dimension) {}
    SparseAccumulator accumulator;
    SparseSum sum;
    Answer answer;
    std::vector<std::int32_t> labels;     // of all samples of an example
    std::vector<std::int64_t> labels_to;  // where those of each sample end
    SparseVector all;                     // the entries of all samples
  };

  bool draw_labels(int worker, const sculpt_query& query, std::int64_t count,
                   WorkerScratch& scratch) const;
  void compute_samples(int worker, const sculpt_query& query, WorkerScratch& scratch,
                       OutputSamples& out) const;
  void compute_losses(int worker, const sculpt_query& query, const WorkerScratch& scratch,
                      OutputSamples& out) const;
  bool find_mean(int worker, const sculpt_query& query, WorkerScratch& scratch,
                 SparseVector& mean) const;
};

}  // namespace sculpt::core
