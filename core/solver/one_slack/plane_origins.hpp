// plane_origins.hpp - of which examples the joint planes of one_slack are made.
//
// Held by JointInfeasibility, for hard margins, where data may be inseparable: the examples to be
// named are those in the planes that carry alpha.
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
  // A plane of this name was made of the examples whose b - <w, a> in `low` [n] are above 0.
  void add(std::uint64_t name, std::span<const double> low);
  // Drops what is known of planes that the block has no more.
  void keep(const Block& block);

  // [n] of each example, the alpha of the planes that it has a part in. Requires all planes of the
  // block to be known.
  std::vector<double> carried(const Block& block, std::int64_t n) const;

  void save(StateWriter& out) const;
  // Throws what a StateReader throws, of a state that save() has not written.
  void load(StateReader& in, std::int64_t n);
  void require_all(const StateReader& in, const Block& block) const;

 private:
  std::map<std::uint64_t, std::vector<std::uint8_t>> violated_;  // [n] by plane
};

}  // namespace sculpt::core
