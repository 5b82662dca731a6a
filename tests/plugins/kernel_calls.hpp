// kernel_calls.hpp - calls of kernels through the C ABI, and data for their tests.
//
// Used by the tests of the plugin kernel.
#pragma once

#include <sculpt/ext/kernel.h>

#include <memory>
#include <span>

#include "live_component.hpp"
#include "random_graphs.hpp"

namespace plugin_test {

using AtomList = std::vector<std::int64_t>;
using Matrix = std::vector<std::vector<double>>;  // [rows][columns]

AtomList first_atoms(std::int64_t count);  // 0 .. count - 1

// The bytes of some atoms, as a model holds them.
struct KeptBytes {
  std::string bytes;
  std::vector<std::int64_t> from{0};
  void add(const std::string& atom);
};

// A dataset with some splits, and a kernel bound to it.
class BoundKernel {
 public:
  using Splits = std::vector<std::pair<std::string, std::string>>;  // name, text
  BoundKernel(const std::string& dataset_name, const Splits& splits, const std::string& name,
              const nlohmann::json& parameters = nlohmann::json::object(),
              const KeptBytes* kept = nullptr, const std::string& dataset_state = "");
  // Of svmlight rows as the split train.
  BoundKernel(const std::string& text, const std::string& name,
              const nlohmann::json& parameters = nlohmann::json::object());

  Matrix rows(const AtomList& atoms, const AtomList& others) const;
  double value(std::int64_t a, std::int64_t b) const { return rows({a}, {b})[0][0]; }
  std::vector<double> diagonal(const AtomList& atoms) const;
  Matrix kept_rows(const AtomList& atoms, std::int64_t begin, std::int64_t end) const;
  std::string bytes_of(std::int64_t atom) const;
  std::uint32_t claims() const;

  std::int64_t atom_count() const { return atom_count_; }
  // The rows of all atoms, [atoms][features].
  Matrix data() const;

  LiveComponent dataset;
  LiveComponent kernel;

 private:
  const sculpt_kernel_api& api() const { return kernel.api<sculpt_kernel_api>(); }
  std::int64_t atom_count_ = 0;
};

// The kernel "kernel#NAME" keeps these bytes; throws CallFailed if it refuses them.
void keep(LiveComponent& kernel, const KeptBytes& kept);

// Svmlight rows of `count` atoms. A value is drawn with this probability.
std::string random_rows(Random& random, int count, int features, double share,
                        const std::function<double()>& draw_value);
// Svmlight rows with the values 1, 2, ... as the symbols of each sequence.
std::string symbol_rows(const std::vector<std::vector<int>>& sequences);

// Whether a matrix, with a ridge for rounding, is positive definite.
bool is_positive(Matrix matrix);

}  // namespace plugin_test
