// name_list.hpp - numbers the names that the training data use, for example for labels.
//
// SPDX-License-Identifier: Apache-2.0
//
// For datasets that learn names from the split "train" and keep them in their state:
//   names.add(text); ...; names.finish();       while learning
//   names.find(text)                            its number, or -1
// Numbers follow the order of the names: first whole numbers by value, then all others byte by
// byte.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reading.hpp"
#include "state.hpp"

namespace sculpt {

class NameList {
 public:
  // Adds a name, which may be there already.
  void add(std::string_view name) { names_.emplace_back(name); }
  // Sorts the names and removes duplicates. Call it before find() and name().
  void finish() {
    std::sort(names_.begin(), names_.end(), precedes);
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  }

  std::int32_t size() const { return static_cast<std::int32_t>(names_.size()); }
  std::int32_t find(std::string_view name) const {
    const auto found = std::lower_bound(names_.begin(), names_.end(), name, precedes);
    return found != names_.end() && *found == name
               ? static_cast<std::int32_t>(found - names_.begin())
               : -1;
  }
  // Throws E_INVALID if there is no such number.
  const std::string& name(std::int64_t number) const {
    if (number < 0 || number >= size()) {
      throw Error(SCULPT_E_INVALID, "there is no name " + std::to_string(number) + "; there are " +
                                        std::to_string(size()));
    }
    return names_[static_cast<std::size_t>(number)];
  }
  // Parses `count` names separated by blanks or line ends. Writes their numbers to `out`. Throws
  // E_DATA for unknown names or another count.
  void parse(std::string_view text, std::int64_t count, LabelOutput& out) const {
    std::vector<Field> fields;
    split_fields(text, " \t\r\n", fields);
    std::vector<std::int32_t> numbers;
    for (const Field& field : fields) {
      numbers.push_back(find(field.text));
      if (numbers.back() < 0) {
        throw data_error(shown(field.text) + " does not occur in the training data " +
                         this->text());
      }
    }
    if (static_cast<std::int64_t>(numbers.size()) != count) {
      throw data_error("there are " + std::to_string(numbers.size()) + " labels where " +
                       std::to_string(count) + " are expected");
    }
    out.assign(numbers);
  }
  // Returns a list for messages: "(1, 2, 3)", at most the first ten.
  std::string text() const {
    std::string list = "(";
    for (std::size_t k = 0; k < names_.size() && k < 10; ++k) {
      list += (k > 0 ? ", " : "") + shortened(names_[k]);
    }
    return list + (names_.size() > 10 ? ", ...)" : ")");
  }

  void save(StateWriter& writer) const { writer.texts(names_); }
  void restore(StateReader& reader) {
    names_ = reader.texts();
    const auto unsorted = std::adjacent_find(
        names_.begin(), names_.end(),
        [](const std::string& a, const std::string& b) { return !precedes(a, b); });
    if (unsorted != names_.end()) reader.damaged();
  }

 private:
  // Returns false if the name is no whole number of 64 bits.
  static bool read_number(std::string_view name, std::int64_t& value) {
    const auto [stop, problem] = std::from_chars(name.data(), name.data() + name.size(), value);
    return problem == std::errc() && stop == name.data() + name.size();
  }
  // The order of the names: whole numbers by value, then all others byte by byte.
  static bool precedes(std::string_view a, std::string_view b) {
    std::int64_t first = 0;
    std::int64_t second = 0;
    const bool first_is_number = read_number(a, first);
    const bool second_is_number = read_number(b, second);
    if (first_is_number != second_is_number) return first_is_number;
    if (first_is_number && first != second) return first < second;
    return a < b;
  }

  std::vector<std::string> names_;
};

}  // namespace sculpt
