// row_scaling.hpp - the scaling of the rows of a store (scaling.hpp): learns, applies, saves and
// names it.
//
// SPDX-License-Identifier: Apache-2.0
//
// A part of SiteStore. The wrapper of datasets with scaled_rows() calls it.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "column_learner.hpp"
#include "host.hpp"
#include "state.hpp"

namespace sculpt {

class RowScaling {
 public:
  RowScaling() = default;  // leaves rows as they are
  RowScaling(Scaling scaling, Host host) : scaling_(scaling), host_(host) {}

  // Scales the rows added since the last call. The first call learns from the split "train", unless
  // the scaling was restored. Throws data_error if a scaled value overflows.
  template <class Store>
  void scale_new_rows(Store& store) {
    if (scaling_ == Scaling::none) return;
    if (!has_learned_ && !is_by_query()) {
      if (!store.has_split("train")) {
        throw Error(SCULPT_E_INVALID,
                    "has no scaling before the split 'train' is loaded; load it first");
      }
      learn(store, store.split("train"));
    }
    has_learned_ = true;
    try {
      for (; scaled_count_ < store.count(); scaled_count_ = store.count()) {
        store.rewrite_rows(scaled_count_, *this);
      }
    } catch (const Overflow& overflow) {
      const std::string place = store.place(example_);
      throw data_error("example " + std::to_string(example_) + ": " +
                       (place.empty() ? "" : place + ": ") + overflow.text);
    }
  }

  // For SiteStore::rewrite_rows(), which calls it once for each example, before its rows.
  void begin_example(std::int64_t example, const sculpt_sites& rows) {
    example_ = example;
    if (!is_by_query()) return;
    struct SingleExample {
      const sculpt_sites& rows;
      const sculpt_sites& sites(std::int64_t) const { return rows; }
    };
    set_columns(learner_.learn(Scaling::min_max, SingleExample{rows}, {0, 1}));
  }
  // Calls add(index, value) for each entry of the scaled row, in increasing order of the indices.
  template <class Add>
  void scale_row(const sculpt_sites& rows, std::int64_t site, Add add) const {
    auto filled = filled_.begin();
    auto column = columns_.begin();
    for (std::int64_t j = rows.row_from[site]; j < rows.row_from[site + 1]; ++j) {
      const std::int32_t index = rows.index[j];
      for (; filled != filled_.end() && filled->index <= index; ++filled) {
        if (filled->index < index) add(filled->index, filled->value);
      }
      const double value = scaled(rows.index[j], rows.value[j], column);
      if (value != 0) add(index, value);
    }
    for (; filled != filled_.end(); ++filled) add(filled->index, filled->value);
  }

  // Writes nothing if the scaling is `none`.
  void save(StateWriter& writer) const {
    if (scaling_ == Scaling::none) return;
    writer.integer(state_version);
    writer.integer(static_cast<std::int64_t>(scaling_));
    const bool learns = !is_by_query();
    writer.integer(learns ? static_cast<std::int64_t>(columns_.size()) : 0);
    if (!learns) return;
    for (const ScaledColumn& column : columns_) {
      writer.integer(column.index);
      writer.real(column.scale.shift);
      writer.real(column.scale.divisor);
    }
  }
  // Reads the rest of the state. Throws E_PARAMETER if the model has another scaling.
  void restore(StateReader& reader) {
    if (reader.at_end()) return require_same(Scaling::none);
    if (reader.integer() != state_version) reader.damaged();
    const std::int64_t scaling = reader.integer();
    const bool is_known = scaling > static_cast<std::int64_t>(Scaling::none) &&
                          scaling <= static_cast<std::int64_t>(Scaling::min_max_by_query);
    if (!is_known) reader.damaged();
    require_same(static_cast<Scaling>(scaling));
    std::vector<ScaledColumn> columns(static_cast<std::size_t>(reader.count(bytes_of_column)));
    std::int64_t previous = -1;
    for (ScaledColumn& column : columns) {
      const std::int64_t index = reader.integer();
      if (index <= previous || index > std::numeric_limits<std::int32_t>::max()) reader.damaged();
      previous = index;
      column.index = static_cast<std::int32_t>(index);
      column.scale.shift = reader.real();
      column.scale.divisor = reader.real();
      if (!column.scale.is_sound()) reader.damaged();
    }
    set_columns(std::move(columns));
    has_learned_ = true;
  }

  // What is not in the state, for a cache (cached_arrays.hpp).
  template <class Cache>
  void cached(Cache& cache) {
    cache(scaled_count_);
  }

  // Returns the scale of a feature, with the divisor NaN if each example has its own.
  ColumnScale scale_of(std::int64_t feature) const {
    if (is_by_query()) return {0, std::numeric_limits<double>::quiet_NaN()};
    const auto found = find(feature, columns_.begin());
    return found != columns_.end() && found->index == feature ? found->scale : ColumnScale();
  }
  // Appends ColumnScale::text() of a feature. Appends nothing if no learned scale applies to it.
  void name(std::int64_t feature, ByteOutput& out) const {
    if (is_by_query()) return;
    const auto found = find(feature, columns_.begin());
    if (found != columns_.end() && found->index == feature) out << found->scale.text();
  }

 private:
  static constexpr std::int64_t state_version = 1;
  static constexpr std::size_t bytes_of_column = 3 * sizeof(std::int64_t);

  // A column, and the value that rows without it get.
  struct FilledColumn {
    std::int32_t index;
    double value;
  };
  using ColumnIterator = std::vector<ScaledColumn>::const_iterator;
  struct Overflow {  // in example_
    std::string text;
  };

  bool is_by_query() const { return scaling_ == Scaling::min_max_by_query; }

  // Throws E_PARAMETER if the model was trained with another scaling.
  void require_same(Scaling trained) const {
    if (trained == scaling_) return;
    throw parameter_error(std::string("scaling is ") + name_of(scaling_) +
                          ", but the model was trained with " + name_of(trained) +
                          "; remove it, because the model contains its scaling");
  }

  // Learns the scales. Warns if the scaling fills sparse rows, or leaves out all columns.
  template <class Store>
  void learn(const Store& store, Range train) {
    ColumnLearner learner;
    set_columns(learner.learn(scaling_, store, train));
    const auto entries = static_cast<double>(learner.entries());
    const double filled = static_cast<double>(learner.rows()) * static_cast<double>(filled_.size());
    if (filled > 2 * entries) {
      host_.warn(std::string("scaling ") + name_of(scaling_) + " fills sparse rows: " +
                 std::to_string(learner.entries()) + " entries of the training data become up to " +
                 detail::exact_number(filled + entries) +
                 ", of 12 bytes each; set \"scaling\": \"max_abs\" or \"standard\" to keep zeros");
    }
    const bool are_all_left_out =
        !columns_.empty() && std::all_of(columns_.begin(), columns_.end(), [](const auto& column) {
          return column.scale.leaves_out();
        });
    if (are_all_left_out) {
      host_.warn(std::string("scaling ") + name_of(scaling_) +
                 " leaves all columns out: each is constant in the training data; set "
                 "\"scaling\": \"max_abs\" or \"standard\" to keep them");
    }
  }

  // Sets the scales, and lists the columns whose missing entries do not stay 0.
  void set_columns(std::vector<ScaledColumn> columns) {
    columns_ = std::move(columns);
    filled_.clear();
    for (const ScaledColumn& column : columns_) {
      const double value = column.scale.of(0);
      if (value != 0) filled_.push_back({column.index, value});
    }
  }

  // Returns the first column at or after this index, searching from `column`. It is most often the
  // next one.
  ColumnIterator find(std::int64_t index, ColumnIterator column) const {
    if (column != columns_.end() && column->index < index) ++column;
    if (column == columns_.end() || column->index >= index) return column;
    return std::lower_bound(
        column, columns_.end(), index,
        [](const ScaledColumn& entry, std::int64_t other) { return entry.index < other; });
  }

  // Returns the scaled value of an entry. Throws Overflow if it is not finite.
  double scaled(std::int32_t index, double value, ColumnIterator& column) const {
    column = find(index, column);
    if (column == columns_.end() || column->index != index) return value;
    const double result = column->scale.of(value);
    if (std::isfinite(result)) return result;
    throw Overflow{"the value " + detail::exact_number(value) + " of column " +
                   std::to_string(index + 1) + " overflows when it is scaled" +
                   column->scale.text() + " as in training; correct it"};
  }

  Scaling scaling_ = Scaling::none;
  Host host_ = Host(nullptr);
  bool has_learned_ = false;
  std::int64_t scaled_count_ = 0;  // examples that are scaled already
  std::int64_t example_ = 0;
  std::vector<ScaledColumn> columns_;  // ascending
  std::vector<FilledColumn> filled_;   // columns whose missing entries do not stay 0
  ColumnLearner learner_;              // used for one query after the other
};

}  // namespace sculpt
