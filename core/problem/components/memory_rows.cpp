#include "problem/components/memory_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/failure.hpp"
#include "base/file/content_hash.hpp"
#include "problem/components/memory_rows_check.hpp"

namespace sculpt::core {
namespace {

// The hash of arrays, each with its size before it. A missing array has the size -1.
class ArrayHash {
 public:
  void add(std::int64_t number) { add_bytes(&number, 1); }
  template <class T>
  void add(const T* values, std::int64_t size) {
    add(values == nullptr ? -1 : size);
    if (values != nullptr) add_bytes(values, size);
  }
  void add_names(const char* const* names, std::int64_t size) {
    add(names == nullptr ? -1 : size);
    for (std::int64_t k = 0; names != nullptr && k < size; ++k) {
      const std::string_view name = names[k];
      add(name.data(), static_cast<std::int64_t>(name.size()));
    }
  }
  std::string text() const { return hash_.text(); }

 private:
  template <class T>
  void add_bytes(const T* values, std::int64_t size) {
    hash_.add({reinterpret_cast<const char*>(values), static_cast<std::size_t>(size) * sizeof(T)});
  }

  ContentHash hash_;
};

}  // namespace

MemoryRows::MemoryRows(std::string name, const sculpt_memory_rows& rows,
                       std::shared_ptr<const void> owner)
    : name_(std::move(name)), owner_(std::move(owner)) {
  std::memcpy(&rows_, &rows, std::min<std::size_t>(rows.struct_size, sizeof rows_));
  rows_.struct_size = sizeof rows_;
  const bool is_record = rows.struct_size >= offsetof(sculpt_memory_rows, variable_count);
  const std::string fault = is_record ? fault_of(rows_)
                                      : "struct_size is " + std::to_string(rows.struct_size) +
                                            "; set it to sizeof(sculpt_memory_rows)";
  if (!fault.empty()) throw Failure(Exit::data, "the arrays \"" + name_ + "\": " + fault);
  if (edge_count() > 0 && rows_.edge_kind == nullptr && rows_.edge_kind_count == 0) {
    rows_.edge_kind_count = 1;
  }
}

std::int64_t MemoryRows::edge_count() const {
  return rows_.first_edge == nullptr ? 0 : rows_.first_edge[rows_.example_count];
}

std::string MemoryRows::hash() const {
  const sculpt_memory_rows& rows = rows_;
  const std::int64_t entries = rows.row_from != nullptr ? rows.row_from[rows.site_count]
                                                        : rows.site_count * rows.feature_count;
  const std::int64_t edges = edge_count();
  const std::int64_t sites_or_sets =
      rows.variable_count > 0 ? rows.example_count * rows.variable_count : rows.site_count;
  const std::int64_t labels =
      rows.first_label != nullptr ? rows.first_label[rows.example_count] : sites_or_sets;
  ArrayHash hash;
  for (const std::int64_t number :
       {std::int64_t{rows.state_count}, rows.example_count, rows.site_count, rows.feature_count,
        rows.variable_count, std::int64_t{rows.edge_kind_count}}) {
    hash.add(number);
  }
  hash.add(rows.first_site, rows.example_count + 1);
  hash.add(rows.row_from, rows.site_count + 1);
  hash.add(rows.index, entries);
  hash.add(rows.value, entries);
  hash.add(rows.first_edge, rows.example_count + 1);
  hash.add(rows.edge, 2 * edges);
  hash.add(rows.edge_kind, edges);
  hash.add(rows.label == nullptr ? nullptr : rows.first_label, rows.example_count + 1);
  hash.add(rows.label, labels);
  hash.add(rows.weight, rows.example_count);
  hash.add_names(rows.state_name, rows.state_count);
  hash.add_names(rows.feature_name, rows.feature_count);
  hash.add_names(rows.variable_name, rows.variable_count);
  hash.add_names(rows.edge_kind_name, rows.edge_kind_count);
  return hash.text();
}

}  // namespace sculpt::core
