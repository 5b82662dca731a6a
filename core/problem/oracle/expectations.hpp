// expectations.hpp - log Z, E[psi] and Cov[psi] v of one example, under
//
//   p(y) ~ exp(<w, psi(x_i, y)> + loss_weight Delta(y_i, y)).
//
// Offered by an Oracle if its component has the extension sculpt/ext/expectation.h. Called by
// ProblemExpectations. MapExpectations computes them with a map_solver.
#pragma once

#include <sculpt/ext/expectation.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "objective/expectation_source.hpp"
#include "problem/plugin/answer_buffers.hpp"
#include "problem/plugin/component.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_expectation> {
  static constexpr const char* id = SCULPT_EXT_EXPECTATION;
  static constexpr std::size_t required_functions = 2;
};

// The probabilities of the labels of each position of an output.
struct Marginals {
  std::vector<std::size_t> row_from;  // [positions + 1] where the labels of a position begin
  Vector p;                           // [row_from.back()]

  std::size_t positions() const { return row_from.empty() ? 0 : row_from.size() - 1; }
  std::span<const double> row(std::size_t position) const {
    return std::span(p).subspan(row_from[position], row_from[position + 1] - row_from[position]);
  }
};

class CellExpectations;

class Expectations {
 public:
  explicit Expectations(const Component& component) : component_(component) {}
  virtual ~Expectations() = default;

  // The component that answers.
  const Component& component() const { return component_; }
  // False if they are computed without a call of the oracle.
  virtual bool asks_oracle() const { return true; }

  // Returns why a loss_weight cannot enter p, with the names of the components. "" if it can.
  virtual const std::string& obstacle_to_loss() const;

  // Returns log Z, and `sum` becomes E[psi], with entries that may repeat. If there is no output:
  // minus infinity, and no entries. Throws Failure in the component's name for values that are not
  // finite. Under --guard both are computed twice and must be equal. [worker]
  LogZ mean(int worker, const sculpt_query& query, SparseAccumulator& sum);
  // True if add_mean() takes a scale of the weights other than 1.
  virtual bool scales_weights() const { return false; }
  // Returns log Z, and adds scale * E[psi] to sum[dimension], at `weight_scale` times the weights
  // of the query. `list` is scratch memory. The sum may be the weights: they are read before. The
  // same checks, but sums beyond the range of doubles are not found. [worker]
  LogZ add_mean(int worker, const sculpt_query& query, double weight_scale, double scale,
                SparseAccumulator& list, Vector& sum);
  // The same at given scores of cells: offered by map_solvers. nullptr: not offered.
  virtual CellExpectations* cells() { return nullptr; }
  // True if marginals() is offered: by map_solvers.
  virtual bool gives_marginals() const { return false; }
  // Returns log Z and computes p(y_v = k). If there is no output: minus infinity, and no positions.
  // Requires gives_marginals(). [worker]
  virtual LogZ marginals(int worker, const sculpt_query& query, Marginals& out);
  // Returns why loss_moments() is not offered, or "".
  virtual std::string obstacle_to_loss_moments() const;
  // Returns E[Delta], and `sum` becomes Cov(psi, Delta), with the same checks. Requires
  // obstacle_to_loss_moments() == "", and a query with a truth and loss_weight 0. If there is no
  // output: 0 and no entries. [worker]
  double loss_moments(int worker, const sculpt_query& query, SparseAccumulator& sum);
  // `sum` becomes Cov[psi] v, with the same checks. [worker]
  void covariance_times(int worker, const sculpt_query& query, const sculpt_weights& v,
                        SparseAccumulator& sum);

 protected:
  // What a component has written. Refuses flags that the host does not know.
  LogZ taken(const sculpt_log_z& raw, std::int64_t example) const;
  // Refuses a log Z that is neither finite nor minus infinity.
  void require_log_z(double log_z, std::int64_t example) const;
  // Under --guard each answer is computed twice.
  bool is_guarded() const { return component_.services().is_guarded(); }
  // Refuses a component whose second answer is another one.
  void require_same(bool same, std::int64_t example) const;

 private:
  // The sum is not read if log Z is not finite.
  virtual LogZ compute_mean(int worker, const sculpt_query& query, SparseAccumulator& sum) = 0;
  // As add_mean(). The default adds the entries of compute_mean().
  virtual LogZ add_mean_to(int worker, const sculpt_query& query, double weight_scale, double scale,
                           SparseAccumulator& list, Vector& sum);
  virtual void compute_covariance(int worker, const sculpt_query& query, const sculpt_weights& v,
                                  SparseAccumulator& sum) = 0;
  virtual double compute_loss_moments(int worker, const sculpt_query& query,
                                      SparseAccumulator& sum);
  LogZ checked_mean(int worker, const sculpt_query& query, SparseAccumulator& sum);
  template <class Compute>
  auto repeated(std::int64_t example, SparseAccumulator& sum, const Compute& compute);

  const Component& component_;
};

// The expectations of a component of kind oracle.
class ComponentExpectations : public Expectations {
 public:
  static bool is_offered_by(const Component& component) {
    return component.extension<sculpt_ext_expectation>() != nullptr;
  }
  // Requires is_offered_by(component). Both arguments outlive this.
  ComponentExpectations(const Component& component, Sessions& sessions)
      : Expectations(component),
        sessions_(sessions),
        table_(*component.extension<sculpt_ext_expectation>()) {}

 private:
  LogZ compute_mean(int worker, const sculpt_query& query, SparseAccumulator& sum) override;
  void compute_covariance(int worker, const sculpt_query& query, const sculpt_weights& v,
                          SparseAccumulator& sum) override;

  Sessions& sessions_;
  const sculpt_ext_expectation& table_;
};

}  // namespace sculpt::core
