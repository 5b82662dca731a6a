// plane_origins.hpp - stores which examples the joint planes of one_slack are made of.
//
// Held by JointInfeasibility, for hard margins. If the data are inseparable, the message names the
// examples in the planes with alpha > 0.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/file/state_stream.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

class PlaneOrigins {
 public:
  // Adds a plane with this key. It is made of the examples with violation[i] > 0; `violation` [n]
  // is b - <w, a> of each.
  void add(std::uint64_t key, std::span<const double> violation);
  // Forgets planes that the block does not have any more.
  void forget_dropped(const Block& block);

  // [n] for each example, the sum of alpha of all planes that it is a part of. Requires that every
  // plane of the block was added.
  std::vector<double> alpha_of_examples(const Block& block, std::int64_t n) const;

  void save(StateWriter& out) const;
  // Throws what StateReader throws if save() has not written this state.
  void load(StateReader& in, std::int64_t n);
  // Throws what StateReader throws if a plane of the block was not added.
  void require_all(const StateReader& in, const Block& block) const;

 private:
  std::map<std::uint64_t, std::vector<std::uint8_t>> violated_;  // key -> [n] 1: violated
};

}  // namespace sculpt::core
