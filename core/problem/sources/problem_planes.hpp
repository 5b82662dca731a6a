// problem_planes.hpp - makes the planes of a Problem under its formulation, for the solvers.
//
//   plane of output y:  a = factor (psi(x_i, y_i) - psi(x_i, y)),   b = offset
//
// with factor and offset from Formulation::plane_of(Delta(y_i, y)). A factor of 0 gives the zero
// plane. Both are multiplied by Formulation::plane_weight() of the example, and so are the bounds.
// An example of weight 0 is not asked about: its answer is the zero plane. SeparationSolver finds
// the output and the bound for all others. Made by ProblemPorts for train, by train for an audit,
// and by verify.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "objective/example_mean.hpp"
#include "objective/plane_source.hpp"
#include "problem/separation/separation_solver.hpp"
#include "problem/sources/training_source.hpp"

namespace sculpt::core {

class ProblemPlanes : public ProblemPort<PlaneSource> {
 public:
  // Requires a problem made for training. It outlives this.
  ProblemPlanes(Problem& problem, std::uint64_t run_seed)
      : ProblemPlanes(problem, run_seed, problem.separation()) {}
  // Uses another of the problem's oracles.
  ProblemPlanes(Problem& problem, std::uint64_t run_seed, SeparationOracle separation);
  ~ProblemPlanes() override;

  // Sets the advice about columns that differ in magnitude. The error about inseparable examples
  // shows it.
  void advise_on_columns(std::string advice) { column_advice_ = std::move(advice); }

  // Returns the bytes that separate_jointly() allocates. They are kept after its first call.
  static std::int64_t joint_bytes(Problem& problem);

  // How many of `count` examples one task of a pass asks about: as many as fit in a batch, if their
  // queries are announced together (Oracle::range_size), else Workers::range_size.
  std::int64_t range_size(const Pass& pass, std::int64_t count) const;

  void separate(WeightView w, std::span<const std::int64_t> examples, const Pass& pass,
                std::vector<Separation>& out) override;
  void separate_jointly(WeightView w, const Pass& pass, JointWeight weight,
                        JointSeparation& out) override;
  std::pmr::memory_resource* plane_memory() override { return problem().services().plane_memory(); }
  bool relaxes() const override { return separation_.oracle.relaxes(); }
  // A frontier query asks only the last of several oracles.
  bool escalates() const override {
    return separation_.oracle.escalates() && separation_.strategy != SeparationStrategy::frontier;
  }
  std::int64_t extra_oracle_calls() const override;
  double reduction_seconds() const override { return reduction_seconds_; }
  std::string column_advice() const override { return column_advice_; }
  [[noreturn]] void report_inseparable(std::span<const std::int64_t> examples,
                                       const std::string& text) const override;

 private:
  struct WorkerScratch;  // memory of one worker

  std::int64_t own_extra_calls() const;
  ExampleMean::Shared shared_bounds(JointSeparation& out);
  bool asks_argmax(const Pass& pass) const;
  std::optional<double> announced_loss_weight(const Pass& pass) const;
  template <class ExampleAt>
  void announce(int worker, sculpt_query query, const Pass& pass, Range positions,
                const ExampleAt& example_at);
  double plane_weight(const Pass& pass, std::int64_t example) const;
  MostViolated find(int worker, const sculpt_query& query, const Pass& pass, WeightView w,
                    double stop_above, const ThrowIfStopped& poll);
  void separate_one(int worker, sculpt_query query, const Pass& pass, WeightView w,
                    std::int64_t example, Separation& out);
  void add_next_best_planes(int worker, const sculpt_query& query, const Pass& pass, WeightView w,
                            double weight, const MostViolated& found, Separation& out);
  void sum_chunk(int worker, const sculpt_query& shared, const Pass& pass, WeightView w,
                 Range examples, JointWeight weight, ExampleMean::Chunk& chunk,
                 JointSeparation& out);

  SeparationOracle separation_;
  SeparationSolver separation_solver_;
  std::vector<WorkerScratch> scratches_;  // [threads]
  ExampleMean example_mean_;
  std::int64_t other_extra_calls_ = 0;  // of the other ranks
  double reduction_seconds_ = 0;
  Vector scaled_;  // [dimension] pass.scale * w, if needed
  std::string column_advice_ = PlaneSource::column_advice();
};

}  // namespace sculpt::core
