// slack_of_each.hpp - what the slack of one of n examples costs.
//
// Called by the solvers with a block of planes for each example.
#pragma once

#include <cstdint>

#include "objective/formulation.hpp"
#include "objective/plane_source.hpp"
#include "qp/slack_term.hpp"
#include "qp/working_set.hpp"

namespace sculpt::core {

// Each of n slacks costs C/n of it, or of its half square; none is allowed under hard margin.
inline SlackTerm slack_of_each(const Formulation& formulation, std::int64_t n) {
  if (formulation.hard_margin()) return SlackTerm::forbidden();
  const double price = formulation.C / static_cast<double>(n);
  return formulation.squares_slacks() ? SlackTerm::squared(price) : SlackTerm::linear(price);
}

// Of a policy of CuttingPlaneRun, the parts that follow from a block of planes for each example.
struct BlockOfEach {
  static std::int64_t block_count(const PlaneSource& source) { return source.example_count(); }
  template <class Options>
  static SlackTerm slack_term(const Options& options, const PlaneSource& source) {
    return slack_of_each(options.formulation, source.example_count());
  }
  // Planes are named by their outputs, in every run.
  void name_earlier(WorkingSet&) const {}
};

}  // namespace sculpt::core
