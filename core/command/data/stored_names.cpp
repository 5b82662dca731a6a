#include "command/data/stored_names.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/text/json_syntax.hpp"

namespace sculpt::core {

void add_weight_names(Problem& problem, nlohmann::ordered_json& header) {
  constexpr std::size_t max_bytes = 1 << 20;
  if (problem.kernel() != nullptr) return;
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  std::size_t bytes = 0;
  try {
    for (std::int64_t weight = 0; weight < problem.dimension(); ++weight) {
      std::string name = problem.features().weight_name(weight);
      bytes += name.size() + 3;  // quotes and a comma
      if (name.empty() || bytes > max_bytes || !is_utf8(name)) return;
      names.push_back(std::move(name));
    }
  } catch (const Failure& failure) {
    if (failure.ends_process()) throw;
    return;
  }
  header[stored_names_key] = std::move(names);
}

}  // namespace sculpt::core
