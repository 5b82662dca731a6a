#include "solver/one_slack/plane_origins.hpp"

#include <algorithm>

namespace sculpt::core {

void PlaneOrigins::add(std::uint64_t key, std::span<const double> violation) {
  std::vector<std::uint8_t>& violated = violated_[key];
  for (const double value : violation) violated.push_back(value > 0 ? 1 : 0);
}

void PlaneOrigins::forget_dropped(const Block& block) {
  std::erase_if(violated_, [&](const auto& entry) {
    return std::find(block.key.begin(), block.key.end(), entry.first) == block.key.end();
  });
}

std::vector<double> PlaneOrigins::alpha_of_examples(const Block& block, std::int64_t n) const {
  std::vector<double> alpha_sums(static_cast<std::size_t>(n), 0.0);
  for (std::size_t p = 1; p < block.size(); ++p) {
    const std::vector<std::uint8_t>& violated = violated_.at(block.key[p]);
    for (std::size_t i = 0; i < alpha_sums.size(); ++i) {
      alpha_sums[i] += violated[i] * block.alpha[p];
    }
  }
  return alpha_sums;
}

void PlaneOrigins::save(StateWriter& out) const {
  out.put(static_cast<std::uint64_t>(violated_.size()));
  for (const auto& [key, violated] : violated_) {
    out.put(key);
    out.put_array(violated);
  }
}

void PlaneOrigins::load(StateReader& in, std::int64_t n) {
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    std::vector<std::uint8_t>& violated = violated_[in.get<std::uint64_t>()];
    in.get_array(violated);
    in.require(violated.size() == static_cast<std::size_t>(n),
               "violated margins of another number of examples");
  }
}

void PlaneOrigins::require_all(const StateReader& in, const Block& block) const {
  for (std::size_t p = 1; p < block.size(); ++p) {
    in.require(violated_.count(block.key[p]) == 1, "a plane without its examples");
  }
}

}  // namespace sculpt::core
