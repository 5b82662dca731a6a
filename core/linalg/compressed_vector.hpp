// compressed_vector.hpp - stores a copy of a dense vector that may be mostly zeros.
//
// Held by Certificate and by solver/online for the best w, which is read once. It is nonzero only
// in columns of planes with alpha > 0, often a small part of the dimension. solver/frank_wolfe and
// solver/online also save their state with it. Zeros may lose their sign.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/file/state_stream.hpp"
#include "linalg/sparse_state.hpp"
#include "linalg/vector.hpp"

namespace sculpt::core {

class CompressedVector {
 public:
  explicit CompressedVector(std::size_t dimension) : dimension_(dimension) {}  // zeros

  void store(const Vector& x) {
    const auto zeros = static_cast<std::size_t>(std::count(x.begin(), x.end(), 0.0));
    // An entry takes 12 bytes in the sparse form, 8 in the dense form.
    if (3 * (x.size() - zeros) >= 2 * x.size()) {
      sparse_ = {};
      dense_ = x;
    } else {
      dense_ = {};
      sparse_ = entries_of(x);
    }
  }

  // The same for an x that is 0 outside these columns. Requires increasing columns, and few of
  // them.
  void store(const Vector& x, std::span<const std::int32_t> columns) {
    dense_ = {};
    sparse_ = entries_of(x, columns);
  }

  Vector restored() const {
    Vector x(dimension_);
    restore(x);
    return x;
  }

  // Writes the vector into x. Requires x[dimension].
  void restore(Vector& x) const {
    if (!dense_.empty()) {
      std::copy(dense_.begin(), dense_.end(), x.begin());
      return;
    }
    std::fill(x.begin(), x.end(), 0.0);
    for (std::size_t k = 0; k < sparse_.index.size(); ++k) {
      x[static_cast<std::size_t>(sparse_.index[k])] = sparse_.value[k];
    }
  }

  void save(StateWriter& out) const {
    out.put_array(dense_);
    save_sparse(sparse_, out);
  }

  // Requires the dimension of the saved vector.
  void load(StateReader& in) {
    in.get_array(dense_);
    in.require(dense_.empty() || dense_.size() == dimension_, "weights of another dimension");
    load_sparse(in, dimension_, sparse_);
    in.require(std::all_of(dense_.begin(), dense_.end(), [](double x) { return std::isfinite(x); }),
               "a vector that is not finite");
  }

 private:
  std::size_t dimension_;
  Vector dense_;  // [dimension] or empty
  SparseVector sparse_;
};

}  // namespace sculpt::core
