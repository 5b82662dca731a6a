// output_series.hpp - the k best outputs of one example, in order, and draws from
//
//   p(y) ~ exp(<w, psi(x_i, y)> + loss_weight Delta(y_i, y)).
//
// Offered by an Oracle whose component has sculpt/ext/k_best.h or sample.h. Each worker has
// one series at a time. Any other call of the oracle on this worker ends it. Called by
// Probabilities. MapSeries asks a map_solver.
#pragma once

#include <sculpt/ext/k_best.h>
#include <sculpt/ext/sample.h>

#include <cstdint>
#include <vector>

#include "problem/plugin/answer_buffers.hpp"
#include "problem/plugin/component.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_k_best> {
  static constexpr const char* id = SCULPT_EXT_K_BEST;
  static constexpr std::size_t required_functions = 2;
};
template <>
struct Extension<sculpt_ext_sample> {
  static constexpr const char* id = SCULPT_EXT_SAMPLE;
  static constexpr std::size_t required_functions = 2;
};

class OutputSeries {
 public:
  virtual ~OutputSeries() = default;

  virtual bool lists_k_best() const = 0;
  virtual bool draws() const = 0;

  // Begins the list. Requires lists_k_best(). What the query points to lives until the list ends.
  // Answers are unchecked. [worker]
  virtual void begin_k_best(int worker, const sculpt_query& query) = 0;
  // Fills the answer, which is cleared first, with the next output, or NO_OUTPUT. [worker]
  virtual void next_best(int worker, Answer& answer) = 0;
  // Prepares draws. Returns log Z: minus infinity if there is nothing to draw. Requires draws().
  // Throws Failure if it is not a number. [worker]
  virtual double begin_draws(int worker, const sculpt_query& query) = 0;
  // Writes one output to the answer, which is cleared first. The seed decides which. [worker]
  virtual void draw(int worker, std::uint64_t seed, Answer& answer) = 0;
};

// The series of a component of kind oracle.
class ComponentSeries : public OutputSeries {
 public:
  // Both arguments outlive this.
  ComponentSeries(const Component& component, Sessions& sessions, int threads);

  bool lists_k_best() const override { return k_best_ != nullptr; }
  bool draws() const override { return sample_ != nullptr; }
  void begin_k_best(int worker, const sculpt_query& query) override;
  void next_best(int worker, Answer& answer) override;
  double begin_draws(int worker, const sculpt_query& query) override;
  void draw(int worker, std::uint64_t seed, Answer& answer) override;

 private:
  const Component& component_;
  Sessions& sessions_;
  const sculpt_ext_k_best* k_best_;
  const sculpt_ext_sample* sample_;
  std::vector<LentQuery> queries_;  // [threads] of the current series
};

// Refuses a log Z that is no number, in the name of the component.
void require_log_z_of_draws(const Component& component, std::int64_t example, double log_z);

}  // namespace sculpt::core
