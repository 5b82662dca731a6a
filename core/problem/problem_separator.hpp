// problem_separator.hpp - planes of a Problem under its formulation, for the solvers.
//
//   plane of output y:  a = factor (psi(x_i, y_i) - psi(x_i, y)),   b = offset
//
// with factor and offset from Formulation::plane_of(Delta(y_i, y)); factor 0 is the zero plane.
// Which output, and what is known of all others, OutputFinder says. Made by train. Examples are
// those of Problem::training(), counted from 0; messages name them by their number in the dataset.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "problem/fenced_weights.hpp"
#include "problem/output_finder.hpp"
#include "problem/problem.hpp"
#include "solver/joint_sum.hpp"
#include "solver/separator.hpp"

namespace sculpt::core {

class ProblemSeparator : public Separator {
 public:
  // Requires a problem made for training; it outlives the separator.
  ProblemSeparator(Problem& problem, std::uint64_t run_seed)
      : ProblemSeparator(problem, run_seed, problem.separation()) {}
  // The same with one of the problem's oracles.
  ProblemSeparator(Problem& problem, std::uint64_t run_seed, SeparationOracle asked);
  ~ProblemSeparator() override;

  // What is to be done about columns that differ in size, as inseparable examples are told of.
  void advise_on_columns(std::string advice) { column_advice_ = std::move(advice); }

  // What separate_jointly() works with: kept from the first call on.
  static std::int64_t joint_bytes(const Problem& problem);

  std::int64_t example_count() const override;
  std::int64_t dimension() const override;
  std::uint64_t seed() const override { return run_seed_; }
  void separate(const Vector& w, std::span<const std::int64_t> examples, const Pass& pass,
                std::vector<Separation>& out) override;
  void separate_jointly(const Vector& w, const Pass& pass, JointWeight weight,
                        JointSeparation& out) override;
  Workers* workers() override { return &problem_.workers(); }
  std::span<const std::uint8_t> nonnegative() const override;
  bool relaxes() const override { return asked_.oracle.relaxes(); }
  // A frontier asks the last of several oracles alone.
  bool escalates() const override {
    return asked_.oracle.escalates() && asked_.strategy != SeparationStrategy::frontier;
  }
  std::vector<std::int32_t> groups() const override;
  void sum_truths(Vector& sum) override;
  std::int64_t extra_oracle_calls() const override;
  std::int64_t number_of(std::int64_t example) const override;
  double reduction_seconds() const override { return reduction_seconds_; }
  std::string column_advice() const override { return column_advice_; }
  [[noreturn]] void refute(std::int64_t example, const std::string& text) const override;
  [[noreturn]] void inseparable(std::span<const std::int64_t> examples,
                                const std::string& text) const override;

 private:
  struct Bench;  // what one worker works with

  sculpt_query query(const Vector& w);
  bool asks_argmax(const Pass& pass) const;
  Finding find(int worker, const sculpt_query& query, const Pass& pass, const Vector& w,
               std::int64_t number, const StopPoll& poll);
  void separate_one(int worker, sculpt_query query, const Pass& pass, const Vector& w,
                    std::int64_t number, Separation& out);
  void add_further(int worker, const sculpt_query& query, const Pass& pass, const Vector& w,
                   const Finding& found, Separation& out);
  void sum_chunk(int worker, const sculpt_query& shared, const Pass& pass, const Vector& w,
                 Range numbers, JointWeight weight, JointSum::Chunk& chunk, JointSeparation& out);

  Problem& problem_;
  SeparationOracle asked_;
  std::uint64_t run_seed_;
  OutputFinder finder_;
  std::unique_ptr<FencedWeights> fence_;  // nullptr: not guarded
  std::vector<Bench> benches_;            // [threads]
  JointSum joint_;
  double reduction_seconds_ = 0;
  Vector scaled_;  // [dimension] w, where it has to be made
  std::string column_advice_ = Separator::column_advice();
};

}  // namespace sculpt::core
