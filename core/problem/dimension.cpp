#include "problem/dimension.hpp"

#include <cstdio>
#include <string_view>

#include "problem/components/dataset_rows.hpp"

namespace sculpt::core {
namespace {

// Returns the size of one weight vector as text.
std::string bytes_text(std::int64_t dimension) {
  const double bytes = static_cast<double>(dimension) * sizeof(double);
  char text[64];
  std::snprintf(text, sizeof text, "%.0f bytes (%.1f GiB)", bytes, bytes / (1LL << 30));
  return text;
}

bool has_parameter(const Component& component, std::string_view name) {
  const sculpt_component& description = component.description();
  for (std::int64_t k = 0; k < description.parameter_count; ++k) {
    if (name == description.parameters[k].name) return true;
  }
  return false;
}

// Throws for a dimension that is too small. A dataset with no value except 0 has no columns.
[[noreturn]] void refuse_no_weights(const Component& features, const Dataset& dataset,
                                    const std::string& path, std::int64_t dimension) {
  const DatasetRows rows(dataset.component());
  if (rows.is_offered() && rows.column_count() == 0) {
    dataset.component().refuse(
        Exit::data, -1,
        (path.empty() ? "" : path + ": ") + "every value is 0, so " + features.name() +
            " has no weights to learn; correct the file" +
            (has_parameter(features, "bias") ? ", or set \"bias\": true in \"features\"" : ""));
  }
  features.refuse(Exit::config, -1,
                  "has no weights to learn (dimension " + std::to_string(dimension) + ")");
}

}  // namespace

std::int64_t dimension_of(const Features& features, const Dataset& dataset, const std::string& path,
                          std::int64_t least) {
  const std::int64_t dimension = features.dimension();
  const Component& component = features.component();
  if (dimension < least) refuse_no_weights(component, dataset, path, dimension);
  if (dimension > INT32_MAX) {
    throw Failure(Exit::config,
                  component.name() + ": has " + std::to_string(dimension) + " weights, " +
                      bytes_text(dimension) +
                      " for one weight vector; the limit is 2147483647 weights",
                  width_advice(dataset));
  }
  return dimension;
}

std::string width_advice(const Dataset& dataset) {
  const std::string widest = dataset.widest_row();
  if (widest.empty()) return "";
  return "\n  " + widest +
         " is the largest. All indices up to it have weights.\n  Correct it if it is a mistake; "
         "otherwise number the features without gaps";
}

}  // namespace sculpt::core
