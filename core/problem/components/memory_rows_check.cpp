#include "problem/components/memory_rows_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>

#include "base/text/json_syntax.hpp"
#include "base/text/message_text.hpp"
#include "problem/components/dataset.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t max_count = std::numeric_limits<std::int64_t>::max() / 64;
constexpr std::int64_t max_features = std::numeric_limits<std::int32_t>::max();

// "index[17] is 9"
std::string element(const char* array, std::int64_t k, std::int64_t value) {
  return std::string(array) + "[" + std::to_string(k) + "] is " + std::to_string(value);
}
std::string not_in_range(const char* array, std::int64_t k, std::int64_t value, std::int64_t low,
                         std::int64_t end) {
  return element(array, k, value) + "; it must be at least " + std::to_string(low) + " and below " +
         std::to_string(end);
}
std::string missing(const char* array, std::int64_t size) {
  return std::string(array) + " is missing (NULL), but must have " + std::to_string(size) +
         " elements";
}

// True if all values are finite. Without a branch in the loop, so that it runs at memory speed.
bool are_finite(std::span<const double> values) {
  bool are = true;
  for (const double value : values) are &= std::abs(value) <= std::numeric_limits<double>::max();
  return are;
}

std::string text_of_bad(double value) {
  return std::isnan(value) ? "NaN" : value > 0 ? "infinity" : "-infinity";
}

class RowsCheck {
 public:
  explicit RowsCheck(const sculpt_memory_rows& rows) : rows_(rows) {}

  // Later checks rely on earlier ones.
  std::string fault() const {
    using Check = std::string (RowsCheck::*)() const;
    for (const Check check :
         {&RowsCheck::fault_of_counts, &RowsCheck::fault_of_sites, &RowsCheck::fault_of_rows,
          &RowsCheck::fault_of_edges, &RowsCheck::fault_of_labels, &RowsCheck::fault_of_weights,
          &RowsCheck::fault_of_all_names}) {
      std::string fault = (this->*check)();
      if (!fault.empty()) return fault;
    }
    return "";
  }

 private:
  std::int64_t site_begin(std::int64_t example) const {
    return rows_.first_site == nullptr ? example : rows_.first_site[example];
  }
  std::int64_t sites_of(std::int64_t example) const {
    return site_begin(example + 1) - site_begin(example);
  }
  std::int64_t variables_of(std::int64_t example) const {
    return rows_.variable_count > 0 ? rows_.variable_count : sites_of(example);
  }
  // "example 3", or "example 3, site 2" if examples may have several sites.
  std::string place_of_site(std::int64_t site) const {
    if (rows_.first_site == nullptr) return "example " + std::to_string(site);
    const std::int64_t* const end = rows_.first_site + rows_.example_count + 1;
    const auto example = std::upper_bound(rows_.first_site, end, site) - rows_.first_site - 1;
    return "example " + std::to_string(example) + ", site " +
           std::to_string(site - rows_.first_site[example]);
  }

  std::string fault_of_counts() const {
    struct Count {
      const char* name;
      std::int64_t value;
      std::int64_t most;
    };
    for (const Count& count : {Count{"example_count", rows_.example_count, max_count},
                               Count{"site_count", rows_.site_count, max_count},
                               Count{"feature_count", rows_.feature_count, max_features},
                               Count{"state_count", rows_.state_count, max_features},
                               Count{"variable_count", rows_.variable_count, max_features},
                               Count{"edge_kind_count", rows_.edge_kind_count, max_features}}) {
      if (count.value >= 0 && count.value <= count.most) continue;
      return std::string(count.name) + " is " + std::to_string(count.value) +
             "; it must be from 0 to " + std::to_string(count.most);
    }
    return "";
  }

  // Offsets [count + 1] of the examples, or of all sites: they begin at 0 and do not fall.
  std::string fault_of_offsets(const char* name, const std::int64_t* offsets, std::int64_t count,
                               bool are_of_sites) const {
    if (offsets[0] != 0) return element(name, 0, offsets[0]) + "; offsets begin at 0";
    for (std::int64_t k = 0; k < count; ++k) {
      if (offsets[k + 1] >= offsets[k]) continue;
      return (are_of_sites ? place_of_site(k) : "example " + std::to_string(k)) + ": " +
             element(name, k + 1, offsets[k + 1]) + ", but " + element(name, k, offsets[k]) +
             "; offsets must not fall";
    }
    return "";
  }

  std::string fault_of_sites() const {
    if (rows_.first_site == nullptr) {
      if (rows_.site_count == rows_.example_count) return "";
      return "there are " + std::to_string(rows_.example_count) + " examples, but " +
             std::to_string(rows_.site_count) +
             " rows; give one row an example, or the offsets first_site";
    }
    std::string fault =
        fault_of_offsets("first_site", rows_.first_site, rows_.example_count, false);
    const std::int64_t end = rows_.first_site[rows_.example_count];
    if (fault.empty() && end != rows_.site_count) {
      fault = element("first_site", rows_.example_count, end) + ", but there are " +
              std::to_string(rows_.site_count) + " rows; the last offset is their number";
    }
    return fault;
  }

  std::string fault_of_rows() const {
    return rows_.row_from == nullptr ? fault_of_dense_rows() : fault_of_sparse_rows();
  }
  std::string fault_of_dense_rows() const {
    if (rows_.index != nullptr) {
      return "index is given without row_from; give both for sparse rows, or none for dense rows";
    }
    if (rows_.feature_count == 0 || rows_.site_count == 0) return "";
    if (rows_.site_count > max_count / rows_.feature_count) {
      return "site_count times feature_count is too large";
    }
    const std::int64_t size = rows_.site_count * rows_.feature_count;
    if (rows_.value == nullptr) return missing("value", size);
    if (are_finite({rows_.value, static_cast<std::size_t>(size)})) return "";
    std::int64_t k = 0;
    while (std::isfinite(rows_.value[k])) ++k;
    return fault_of_value(k / rows_.feature_count, k % rows_.feature_count, k);
  }
  std::string fault_of_sparse_rows() const {
    std::string fault = fault_of_offsets("row_from", rows_.row_from, rows_.site_count, true);
    if (!fault.empty()) return fault;
    const std::int64_t size = rows_.row_from[rows_.site_count];
    if (size == 0) return "";
    if (rows_.index == nullptr) return missing("index", size);
    if (rows_.value == nullptr) return missing("value", size);
    for (std::int64_t site = 0; site < rows_.site_count; ++site) {
      std::int64_t previous = -1;
      for (std::int64_t k = rows_.row_from[site]; k < rows_.row_from[site + 1]; ++k) {
        const std::int32_t index = rows_.index[k];
        if (index <= previous || index >= rows_.feature_count) return fault_of_index(site, k);
        previous = index;
      }
    }
    if (are_finite({rows_.value, static_cast<std::size_t>(size)})) return "";
    std::int64_t k = 0;
    while (std::isfinite(rows_.value[k])) ++k;
    const std::int64_t* const end = rows_.row_from + rows_.site_count + 1;
    const auto site = std::upper_bound(rows_.row_from, end, k) - rows_.row_from - 1;
    return fault_of_value(site, rows_.index[k], k);
  }
  std::string fault_of_index(std::int64_t site, std::int64_t k) const {
    const std::int32_t index = rows_.index[k];
    const std::string place = place_of_site(site) + ": ";
    if (index < 0 || index >= rows_.feature_count) {
      return place + not_in_range("index", k, index, 0, rows_.feature_count);
    }
    return place + element("index", k, index) + ", after " + std::to_string(rows_.index[k - 1]) +
           "; sort each row by index, with each index once";
  }
  std::string fault_of_value(std::int64_t site, std::int64_t column, std::int64_t k) const {
    return place_of_site(site) + ", column " + std::to_string(column) + ": value[" +
           std::to_string(k) + "] is " + text_of_bad(rows_.value[k]) + "; values must be finite";
  }

  std::string fault_of_edges() const {
    if (rows_.first_edge == nullptr) return "";
    std::string fault =
        fault_of_offsets("first_edge", rows_.first_edge, rows_.example_count, false);
    if (!fault.empty()) return fault;
    const std::int64_t size = rows_.first_edge[rows_.example_count];
    if (size == 0) return "";
    if (rows_.edge == nullptr) return missing("edge", 2 * size);
    for (std::int64_t i = 0; i < rows_.example_count; ++i) {
      const std::int64_t sites = sites_of(i);
      for (std::int64_t k = 2 * rows_.first_edge[i]; k < 2 * rows_.first_edge[i + 1]; ++k) {
        if (rows_.edge[k] >= 0 && rows_.edge[k] < sites) continue;
        return "example " + std::to_string(i) + ": " +
               not_in_range("edge", k, rows_.edge[k], 0, sites) +
               ", because sites count from 0 in each example";
      }
      if (rows_.edge_kind == nullptr) continue;
      for (std::int64_t k = rows_.first_edge[i]; k < rows_.first_edge[i + 1]; ++k) {
        if (rows_.edge_kind[k] >= 0 && rows_.edge_kind[k] < rows_.edge_kind_count) continue;
        return "example " + std::to_string(i) + ": " +
               not_in_range("edge_kind", k, rows_.edge_kind[k], 0, rows_.edge_kind_count);
      }
    }
    return "";
  }

  std::string fault_of_labels() const {
    if (rows_.label == nullptr) return fault_of_missing_labels();
    if (rows_.first_label != nullptr) {
      std::string fault =
          fault_of_offsets("first_label", rows_.first_label, rows_.example_count, false);
      if (!fault.empty()) return fault;
    }
    std::int64_t begin = 0;
    for (std::int64_t i = 0; i < rows_.example_count; ++i) {
      const std::int64_t variables = variables_of(i);
      const std::int64_t end =
          rows_.first_label == nullptr ? begin + variables : rows_.first_label[i + 1];
      if (end > begin && end - begin != variables) {
        return "example " + std::to_string(i) + ": has " + count_text(end - begin, "label") +
               ", but " + count_text(variables, rows_.variable_count > 0 ? "variable" : "site") +
               "; give it as many labels, with -1 for unknown ones, or none";
      }
      for (std::int64_t k = begin; k < end; ++k) {
        if (rows_.label[k] >= -1 && rows_.label[k] < rows_.state_count) continue;
        return "example " + std::to_string(i) + ": " +
               not_in_range("label", k, rows_.label[k], -1, rows_.state_count);
      }
      begin = end;
    }
    return "";
  }
  std::string fault_of_missing_labels() const {
    const bool has_offsets =
        rows_.first_label != nullptr && rows_.first_label[rows_.example_count] != 0;
    return has_offsets ? missing("label", rows_.first_label[rows_.example_count]) : "";
  }

  std::string fault_of_weights() const {
    if (rows_.weight == nullptr) return "";
    for (std::int64_t i = 0; i < rows_.example_count; ++i) {
      const std::string fault = fault_of_weight(rows_.weight[i]);
      if (!fault.empty()) return "example " + std::to_string(i) + ": " + fault;
    }
    return "";
  }

  std::string fault_of_all_names() const {
    std::string fault = fault_of_names("state_name", rows_.state_name, rows_.state_count);
    if (fault.empty()) {
      fault = fault_of_names("feature_name", rows_.feature_name, rows_.feature_count);
    }
    if (fault.empty()) {
      fault = fault_of_names("variable_name", rows_.variable_name, rows_.variable_count);
    }
    if (fault.empty()) {
      fault = fault_of_names("edge_kind_name", rows_.edge_kind_name, rows_.edge_kind_count);
    }
    return fault;
  }
  static std::string fault_of_names(const char* array, const char* const* names,
                                    std::int64_t count) {
    if (names == nullptr) return "";
    std::unordered_map<std::string_view, std::int64_t> places;
    for (std::int64_t k = 0; k < count; ++k) {
      const std::string where = std::string(array) + "[" + std::to_string(k) + "] ";
      if (names[k] == nullptr || *names[k] == '\0') return where + "is empty; give it a name";
      const std::string name = names[k];
      if (!is_utf8(name)) return where + "is not UTF-8; encode names as UTF-8";
      const auto is_control = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
      };
      if (std::any_of(name.begin(), name.end(), is_control)) {
        return where + "has a control character, such as a line end; leave it out";
      }
      const auto [first, is_new] = places.emplace(names[k], k);
      if (!is_new) {
        return where + "is \"" + name + "\", as is " + array + "[" + std::to_string(first->second) +
               "]; names must differ";
      }
    }
    return "";
  }

  const sculpt_memory_rows& rows_;
};

}  // namespace

std::string fault_of(const sculpt_memory_rows& rows) {
  return RowsCheck(rows).fault();
}

}  // namespace sculpt::core
