// problem_separator.hpp - planes of a Problem under margin rescaling, for the solvers.
//
//   plane of output y:  a = psi(x_i, y_i) - psi(x_i, y),   b = Delta(y_i, y)
//
// Made by train. Examples are those of the split "train", counted from 0; messages name
// them by their number in the dataset. Every answer is checked against its own plane before it is
// believed; what fails is a Failure (Exit::plugin) that names component and example.
#pragma once

#include <memory>
#include <vector>

#include "problem/problem.hpp"
#include "solver/separator.hpp"

namespace sculpt::core {

class ProblemSeparator : public Separator {
 public:
  // Requires a problem made for training; it outlives the separator.
  ProblemSeparator(Problem& problem, std::uint64_t run_seed);
  ~ProblemSeparator() override;

  std::int64_t example_count() const override;
  std::int64_t dimension() const override;
  void separate(const Vector& w, std::span<const std::int64_t> examples, const Pass& pass,
                std::vector<Separation>& out) override;
  void separate_jointly(const Vector& w, const Pass& pass, JointWeight weight,
                        JointSeparation& out) override;
  [[noreturn]] void refute(std::int64_t example, const std::string& text) const override;
  [[noreturn]] void inseparable(std::span<const std::int64_t> examples,
                                const std::string& text) const override;

 private:
  struct Bench;   // what one worker works with
  struct Chunk;   // sums over a fixed range of examples, of separate_jointly
  struct Scores;  // of one answer, computed again

  sculpt_query query(const Vector& w) const;
  void separate_one(int worker, sculpt_query query, const Pass& pass, const Vector& w,
                    std::int64_t number, Separation& out);
  void check_answer(const Answer& answer, std::int64_t example, const Scores& scores) const;
  void sum_chunk(int worker, const sculpt_query& shared, const Pass& pass, const Vector& w,
                 Range numbers, JointWeight weight, Chunk& chunk, JointSeparation& out);
  void reduce(JointSeparation& out);

  Problem& problem_;
  std::uint64_t run_seed_;
  std::vector<std::unique_ptr<Bench>> benches_;  // [threads]
  std::vector<Chunk> chunks_;
};

}  // namespace sculpt::core
