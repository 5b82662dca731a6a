#include "problem/components/dataset_rows.hpp"

#include <cmath>

#include "base/text/message_text.hpp"
#include "problem/plugin/answer_buffers.hpp"

namespace sculpt::core {

namespace {

// False for NaN and infinity, which the features refuse.
bool is_too_large(double value) {
  return std::abs(value) > max_feature_magnitude && std::isfinite(value);
}

// Refuses each value of one example that is too large.
void require_magnitudes_of(const Dataset& dataset, const DatasetRows& rows, std::int64_t columns,
                           std::int64_t example, const std::string& remedy) {
  const sculpt_sites sites = rows.sites(example);
  for (std::int64_t j = sites.row_from[0]; j < sites.row_from[sites.site_count]; ++j) {
    if (!is_too_large(sites.value[j])) continue;
    const std::int64_t column = sites.index[j];
    const bool is_known = column >= 0 && column < columns;
    refuse_magnitude(dataset, example, std::abs(sites.value[j]),
                     is_known ? rows.name(column) : "column " + std::to_string(column), remedy);
  }
}

}  // namespace

DatasetRows::DatasetRows(const Component& dataset)
    : dataset_(dataset), table_(dataset.extension<sculpt_ext_sites>()) {}

sculpt_sites_shape DatasetRows::shape() const {
  sculpt_sites_shape shape = {};
  shape.struct_size = sizeof shape;
  dataset_.call("sites.shape", -1,
                [&](sculpt_error* error) { return table_->shape(dataset_.self(), &shape, error); });
  return shape;
}

sculpt_sites DatasetRows::sites(std::int64_t example) const {
  sculpt_sites sites = {};
  sites.struct_size = sizeof sites;
  dataset_.call("sites.sites", example, [&](sculpt_error* error) {
    return table_->sites(dataset_.self(), example, &sites, error);
  });
  // Host and features read the arrays without a further check.
  const auto refuse = [&](const char* what) {
    dataset_.refuse(Exit::plugin, example, std::string("its sites: ") + what);
  };
  if (sites.site_count < 0 || sites.edge_count < 0) refuse("a count is negative");
  if (sites.row_from == nullptr || sites.row_from[0] < 0) refuse("row_from is NULL or negative");
  const bool has_entries = sites.row_from[sites.site_count] > sites.row_from[0];
  const bool is_null = sites.index == nullptr || sites.value == nullptr;
  if (has_entries && is_null) refuse("index or value is NULL, but a row is not empty");
  return sites;
}

std::string DatasetRows::name(std::int64_t column) const {
  if (column < 0) return "the bias";
  ByteBuffer text;
  dataset_.call("sites.feature_name", -1, [&](sculpt_error* error) {
    return table_->feature_name(dataset_.self(), column, text.raw(), error);
  });
  return text.text_of(dataset_, -1);
}

std::string DatasetRows::state_name(std::int32_t state) const {
  ByteBuffer text;
  dataset_.call("sites.state_name", -1, [&](sculpt_error* error) {
    return table_->state_name(dataset_.self(), state, text.raw(), error);
  });
  return text.text_of(dataset_, -1);
}

void refuse_magnitude(const Dataset& dataset, std::int64_t example, double magnitude,
                      const std::string& where, const std::string& remedy) {
  dataset.refuse(Exit::data, example,
                 "its features have magnitude " + number_text(magnitude) + " at " + where +
                     "; values above 1e+100 can overflow: " + remedy);
}

void require_row_magnitudes(const Dataset& dataset, Workers& workers, Services& services,
                            const std::string& remedy) {
  const DatasetRows rows(dataset.component());
  const std::int64_t count = dataset.count();
  if (!rows.is_offered() || count == 0) return;
  const std::int64_t columns = rows.column_count();
  workers.run_ranges(count, Workers::range_size(count),
                     [&](std::int64_t begin, std::int64_t end, int) {
                       services.throw_if_cancelled();
                       for (std::int64_t example = begin; example < end; ++example) {
                         require_magnitudes_of(dataset, rows, columns, example, remedy);
                       }
                     });
}

}  // namespace sculpt::core
