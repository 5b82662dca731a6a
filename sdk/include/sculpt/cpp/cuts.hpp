// cuts.hpp - relaxed answers of oracles and map_solvers: the best point of a larger set.
//
// SPDX-License-Identifier: Apache-2.0
//
// Used by worker_extensions.hpp; extensions.hpp lists the methods. ext/cut.h defines the terms.
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

template <class W>
concept CutWorker = requires(W& w, const Query& query, Sum& psi, Cut& out) {
  w.cut(query, psi, out);
};
template <class T>
concept OffersCut = worker_has<T, decltype([](CutWorker auto&) {})>();
template <class T>
inline constexpr sculpt_ext_cut cut_table{[](void* session, const sculpt_query* query,
                                             sculpt_accumulator* psi, sculpt_cut* out,
                                             sculpt_error* error) {
  return guarded(error, "cut", [&] {
    Sum sum(psi, 1);
    Cut cut(out);
    on_worker<T>(session, [&](CutWorker auto& w) { w.cut(Query(*query), sum, cut); });
  });
}};

template <class W>
concept MapCutWorker = requires(W& w, const MapQuery& query, std::span<double> mu, Cut& out) {
  w.cut(query, mu, out);
};
template <class T>
concept OffersMapCut = worker_has<T, decltype([](MapCutWorker auto&) {})>();
template <class T>
inline constexpr sculpt_ext_map_cut map_cut_table{[](void* session, const sculpt_map_query* query,
                                                     double* mu, sculpt_cut* out,
                                                     sculpt_error* error) {
  return guarded(error, "cut", [&] {
    Cut cut(out);
    const std::span<double> cells(mu, static_cast<std::size_t>(query->graph->theta_size));
    on_worker<T>(session, [&](MapCutWorker auto& w) { w.cut(MapQuery(*query), cells, cut); });
  });
}};

// For classes whose parameters can switch relaxed answers off.
template <class T>
concept MayRelax = requires(const T& t) {
  { t.relaxes() } -> std::convertible_to<bool>;
};

}  // namespace detail
}  // namespace sculpt
