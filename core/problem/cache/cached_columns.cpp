#include "problem/cache/cached_columns.hpp"

#include <cstring>
#include <nlohmann/json.hpp>

namespace sculpt::core {

using Json = nlohmann::ordered_json;

Json write_columns(const DataColumns& columns, CacheFileWriter& file) {
  file.add({reinterpret_cast<const char*>(columns.magnitudes.data()),
            columns.magnitudes.size() * sizeof(ColumnMagnitude)});
  return {{"count", columns.count},
          {"in_use", columns.in_use},
          {"largest", columns.largest},
          {"second_largest", columns.second_largest},
          {"rows", columns.rows}};
}

DataColumns columns_in(const CacheFile& file) {
  const Json& header = file.header().at("columns");
  DataColumns columns;
  columns.count = header.at("count").get<std::int64_t>();
  columns.in_use = header.at("in_use").get<std::int64_t>();
  columns.largest = header.at("largest").get<std::int64_t>();
  columns.second_largest = header.at("second_largest").get<std::int64_t>();
  columns.rows = header.at("rows").get<std::int64_t>();
  const std::span<const char> magnitudes = file.arrays().back();
  columns.magnitudes.resize(magnitudes.size() / sizeof(ColumnMagnitude));
  if (!magnitudes.empty()) {
    std::memcpy(columns.magnitudes.data(), magnitudes.data(), magnitudes.size());
  }
  return columns;
}

}  // namespace sculpt::core
