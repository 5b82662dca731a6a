#include "problem/components/weight_units.hpp"

#include <cmath>

#include "base/text/message_text.hpp"
#include "problem/plugin/answer_buffers.hpp"

namespace sculpt::core {

WeightUnits::WeightUnits(const Component& dataset, const Component& features)
    : dataset_(dataset),
      features_(features),
      rows_(dataset),
      scales_(dataset.extension<sculpt_ext_column_scale>()),
      columns_(features.extension<sculpt_ext_weight_column>()) {}

WeightUnit WeightUnits::unit_of(std::int64_t weight, const std::string& name) const {
  std::int64_t column = -1;
  features_.call("weight-column.column", -1, [&](sculpt_error* error) {
    return columns_->column(features_.self(), weight, &column, error);
  });
  if (column < 0) return {name, std::nullopt};
  const std::int64_t columns = rows_.column_count();
  if (column >= columns) {
    features_.refuse(Exit::plugin, -1,
                     "says that weight " + std::to_string(weight) + " belongs to column " +
                         std::to_string(column) + ", but " + dataset_.name() + " has " +
                         count_text(columns, "column"));
  }
  sculpt_column_scale scale = {};
  scale.struct_size = sizeof scale;
  dataset_.call("column-scale.scale", -1, [&](sculpt_error* error) {
    return scales_->scale(dataset_.self(), column, &scale, error);
  });
  if (!(scale.divisor > 0) || !std::isfinite(scale.divisor)) return {name, std::nullopt};
  const std::string scaled_name = rows_.name(column);
  const std::size_t begin = name.find(scaled_name);
  if (begin == std::string::npos) return {name, scale.divisor};
  std::string plain = name;
  return {plain.replace(begin, scaled_name.size(), plain_name(column)), scale.divisor};
}

std::string WeightUnits::plain_name(std::int64_t column) const {
  ByteBuffer text;
  dataset_.call("column-scale.name", -1, [&](sculpt_error* error) {
    return scales_->name(dataset_.self(), column, text.raw(), error);
  });
  return text.text_of(dataset_, -1);
}

}  // namespace sculpt::core
