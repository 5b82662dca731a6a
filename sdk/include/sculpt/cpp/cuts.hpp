// cuts.hpp - relaxed answers of oracles and map_solvers: the best point of a larger set.
//
// SPDX-License-Identifier: Apache-2.0
//
// Used by offered.hpp; extensions.hpp says what the methods do. ext/cut.h defines the terms.
#pragma once

#include "../ext/cut.h"
#include "extensions.hpp"

namespace sculpt {

// A relaxed answer. The caller always writes psi or mu as well. This object records whether the
// answer is an output, its value, and what is proved about the value. Value, bound and flags refer
// to the relaxed problem.
class Cut {
 public:
  explicit Cut(sculpt_cut* raw) : raw_(raw) {
    raw_->flags = 0;
    raw_->labels.size = 0;
    raw_->loss = 0;
  }

  // If the answer is an output: its labels.
  LabelOutput labels() { return LabelOutput(&raw_->labels); }
  // If the answer is no output.
  void fractional() {
    raw_->labels.size = 0;
    raw_->flags |= SCULPT_CUT_FRACTIONAL;
  }

  // Delta(truth, answer). Only for oracles, and only for queries with a truth. For map_solvers the
  // loss is a part of theta.
  void loss(double delta) { raw_->loss = delta; }

  // `value` is the value of the answer, and no point of the relaxed set has a larger one.
  void exact(double value) {
    found(value);
    bound(value);
    raw_->flags |= SCULPT_ANSWER_EXACT;
  }
  // `value` is the value of the answer. Nothing is claimed about other points.
  void found(double value) { raw_->value = value; }
  // No point of the relaxed set, hence no output, has a value above `bound`.
  void bound(double bound) {
    raw_->bound = bound;
    raw_->flags |= SCULPT_ANSWER_BOUND;
  }
  // The example has no output.
  void no_output() { raw_->flags |= SCULPT_ANSWER_NO_OUTPUT; }
  // The truth is not in the relaxed set.
  void truth_outside() { raw_->flags |= SCULPT_ANSWER_TRUTH_OUTSIDE; }

 private:
  sculpt_cut* raw_;
};

namespace detail {

// Parameters can switch relaxed answers off: t.relaxes().
template <class T>
constexpr Switch<T> relaxing_switch() {
  if constexpr (offers<method::relaxes, T>()) {
    return [](const T& t) -> bool { return t.relaxes(); };
  } else {
    return nullptr;
  }
}

struct OracleCut : Extension<kind_sets::oracle, Methods<method::cut>, Methods<method::relaxes>> {
  static constexpr std::uint32_t kinds_with_methods = kind_sets::oracle_or_map_solver;
  template <class T>
  static constexpr Switch<T> get_switch() {
    return relaxing_switch<T>();
  }
  template <class T>
  static constexpr sculpt_ext_cut table{[](void* session, const sculpt_query* query,
                                           sculpt_accumulator* psi, sculpt_cut* out,
                                           sculpt_error* error) {
    return guarded(error, "cut", [&] {
      Sum sum(psi, 1);
      Cut cut(out);
      worker_of<method::cut, T>(session).cut(Query(*query), sum, cut);
    });
  }};
};

struct MapCut
    : Extension<kind_sets::map_solver, Methods<method::map_cut>, Methods<method::relaxes>> {
  static constexpr std::uint32_t kinds_with_methods = kind_sets::oracle_or_map_solver;
  template <class T>
  static constexpr Switch<T> get_switch() {
    return relaxing_switch<T>();
  }
  template <class T>
  static constexpr sculpt_ext_map_cut table{[](void* session, const sculpt_map_query* query,
                                               double* mu, sculpt_cut* out, sculpt_error* error) {
    return guarded(error, "cut", [&] {
      Cut cut(out);
      const std::span<double> cells(mu, static_cast<std::size_t>(query->graph->theta_size));
      worker_of<method::map_cut, T>(session).cut(MapQuery(*query), cells, cut);
    });
  }};
};

}  // namespace detail
}  // namespace sculpt
