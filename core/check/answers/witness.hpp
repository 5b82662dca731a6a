// witness.hpp - the numbers that prove an upper bound (sculpt/ext/draft/witness.h), and the bound
// that the host computes from them.
//
// Used by the tests of oracles and of map_solvers. Only witnesses of the kind "messages" can be
// verified here: for other kinds the page of the component says what the numbers belong to.
#pragma once

#include <sculpt/ext/draft/witness.h>
#include <sculpt/ext/factor_graph.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/fixture/oracle_query.hpp"
#include "linalg/rounding.hpp"

namespace sculpt::core {

// A witness with the memory of its numbers.
class Witness {
 public:
  Witness();
  ~Witness();
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;

  sculpt_witness* raw() { return &raw_; }
  // Returns "" if the component has set no kind.
  std::string kind() const { return raw_.kind == nullptr ? "" : raw_.kind; }
  bool has_valid_size() const {
    return raw_.numbers.size >= 0 && raw_.numbers.size <= raw_.numbers.capacity;
  }
  // Requires has_valid_size().
  std::span<const double> numbers() const {
    return {raw_.numbers.data, static_cast<std::size_t>(raw_.numbers.size)};
  }

 private:
  sculpt_witness raw_;
};

// An upper bound of the values of all assignments, and the terms that it is summed from.
struct WitnessBound {
  double value = 0;
  Terms terms;
};

// Returns the bound that messages prove. Nothing if there are more or fewer numbers than the graph
// has messages. `theta`: [theta_size]. Each variable has a state.
std::optional<WitnessBound> bound_of_messages(const sculpt_factor_graph& graph,
                                              std::span<const double> theta,
                                              std::span<const double> messages);

// Returns what is wrong with a witness of this answer, or "". Without EXACT or BOUND there is
// nothing to prove. Does not compute the bound.
std::string fault_of_witness(const Witness& witness, const OwnedAnswer& answer);

// Returns how far the bound of a witness is from the claim of its answer, beyond rounding, as a
// text; or "". `constant`: of the value, beside theta.
std::string fault_of_bound(const WitnessBound& bound, double constant, const OwnedAnswer& answer);

}  // namespace sculpt::core
