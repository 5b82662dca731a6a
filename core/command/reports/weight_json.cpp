#include "command/reports/weight_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "base/text/message_text.hpp"
#include "base/text/text_out.hpp"
#include "command/reports/largest_values.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// Numbers that are not finite become null, as everywhere.
std::string number_in_json(double value) {
  return std::isfinite(value) ? exact_number_text(value) : "null";
}

std::string row_of(const ModelFile& model, const WeightNames& names, std::int64_t weight) {
  const double value = model.weights()[static_cast<std::size_t>(weight)];
  const WeightUnit unit = names.unit_of(weight);
  std::string row = "{\"weight\": " + std::to_string(weight) + ", \"name\": " +
                    Json(unit.name).dump(-1, ' ', true, Json::error_handler_t::replace) +
                    ", \"value\": " + number_in_json(value);
  if (unit.divisor && *unit.divisor != 1) {
    row += ", \"per_unit\": " + number_in_json(value / *unit.divisor);
  }
  return row + "}";
}

// The weights to print.
std::vector<std::int64_t> chosen_weights(const Vector& w, std::int64_t max_count) {
  std::vector<std::int64_t> weights;
  if (max_count >= std::ssize(w)) {
    weights.resize(w.size());
    std::iota(weights.begin(), weights.end(), std::int64_t{0});
    return weights;
  }
  LargestValues largest(static_cast<std::size_t>(max_count));
  for (std::int64_t k = 0; k < std::ssize(w); ++k) largest.add(k, w[static_cast<std::size_t>(k)]);
  return largest.take();
}

}  // namespace

void print_weights_json(const ModelFile& model, const WeightNames& names, std::int64_t max_count) {
  const std::vector<std::int64_t> weights = chosen_weights(model.weights(), max_count);
  std::string text = json_text(model.header());
  text.resize(text.rfind('}'));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  data_out() << text << ",\n  \"weights\": [";
  for (std::size_t k = 0; k < weights.size(); ++k) {
    data_out() << (k == 0 ? "\n    " : ",\n    ") << row_of(model, names, weights[k]);
  }
  data_out() << (weights.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace sculpt::core
