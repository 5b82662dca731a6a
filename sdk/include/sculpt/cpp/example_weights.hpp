// example_weights.hpp - the parameter `weights` of datasets: a file with the weight of each
// training example.
//
// SPDX-License-Identifier: Apache-2.0
//
// The file has one number a line, as for the option -W of LIBSVM and LIBLINEAR.
// ext/example_weights.h says what weights do. A dataset needs four lines:
//
//   static constexpr sculpt_parameter parameters[] = {..., sculpt::example_weights()};
//   MyDataset(const sculpt::Parameters& given) : weights_(given) {}
//   if (split == "train") weights_.read(its first example, their number);   in load()
//   double example_weight(std::int64_t example) const { return weights_.of(example); }
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "parameters.hpp"
#include "reading.hpp"
#include "stored_array.hpp"

namespace sculpt {

constexpr sculpt_parameter example_weights() {
  return path(
      "weights", "null",
      "a file with one number a line, the weight of each example of train: its slack counts "
      "so many times; without it all weights are 1");
}

// Reads one weight from a field. Throws E_DATA unless it is finite and not negative.
inline double read_example_weight(const LineReader& reader, Field field) {
  const double weight = reader.real(field, "a weight");
  if (weight >= 0) return weight;
  throw reader.error(field.column, shown(field.text) +
                                       " is negative; a weight is at least 0 (an example of weight "
                                       "0 is left out)");
}

class ExampleWeights {
 public:
  explicit ExampleWeights(const Parameters& given) : path_(given.text("weights")) {}

  // Reads the file if the parameter is set. `begin`: the first example of the split "train".
  // `count`: how many examples the file of that split has. Throws E_MISSING if the file of the
  // weights cannot be read. Throws E_DATA unless it has a weight for each example.
  void read(std::int64_t begin, std::size_t count) {
    if (path_.empty()) return;
    begin_ = begin;
    const std::string needed =
        ", but the split \"train\" has " + std::to_string(count) + " examples; ";
    LineReader reader(Source(sculpt_source{sizeof(sculpt_source), 0, path_.c_str(), nullptr, 0}));
    while (reader.next()) {
      const std::vector<Field>& fields = reader.fields();
      if (fields.empty())
        throw reader.error(0, "the line is empty; write the weight of an example");
      if (fields.size() > 1) {
        throw reader.error(
            fields[1].column,
            "the line has more than one field; write only the weight of the example");
      }
      if (weights_.size() == count) {
        throw reader.error(0, "the line is a weight for example " + std::to_string(count + 1) +
                                  needed + "remove the line");
      }
      weights_.own().push_back(read_example_weight(reader, fields[0]));
    }
    if (weights_.size() == count) return;
    throw data_error(path_ + ":" + std::to_string(weights_.size() + 1) + ": the file ends after " +
                     std::to_string(weights_.size()) + " weights" + needed +
                     "write a line for each");
  }

  // All of it, for a cache (cached_arrays.hpp).
  template <class Cache>
  void cached(Cache& cache) {
    cache(begin_, weights_);
  }

  // Returns the weight of an example of the split "train". 1 if there is no file.
  double of(std::int64_t example) const {
    const std::int64_t k = example - begin_;
    const bool is_known = k >= 0 && k < static_cast<std::int64_t>(weights_.size());
    return is_known ? weights_[static_cast<std::size_t>(k)] : 1;
  }

 private:
  std::string path_;  // "": no file
  std::int64_t begin_ = 0;
  StoredArray<double> weights_;  // [examples of train], or empty
};

}  // namespace sculpt
