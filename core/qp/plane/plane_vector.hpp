// plane_vector.hpp - the vector a of one plane (a, b), stored exactly in the smallest form.
//
// Held by WorkingSet, read by QpSolver and FaceAscent. The QP spends more time reading planes from
// memory than computing with them. So 2 bytes an entry instead of 12 save more than fewer entries,
// and all entries of a plane lie in one piece. Most features are counts, so most entries are 1 or
// -1. Under slack rescaling they are multiplied by the loss or its root. These are stored in runs
// of equal values. Otherwise values are floats if that loses nothing, and indices are short if they
// fit.
//
// A class difference is the features of one input in class y minus those in class y'. It stores the
// input vector once, with two offsets. Planes of one example share that vector (share_input), and
// PlaneProducts multiplies it once at each offset.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <type_traits>
#include <vector>

#include "base/file/state_stream.hpp"
#include "linalg/vector.hpp"

namespace sculpt::core {

class PlaneVector {
 public:
  PlaneVector() = default;  // zero
  explicit PlaneVector(const SparseVector& a);
  explicit PlaneVector(const Vector& a);

  double dot(const Vector& x) const;                  // <a, x>
  void add_to(double scale, Vector& x) const;         // x += scale a
  void scatter(Vector& zeros) const;                  // Writes a into zeros.
  void unscatter(Vector& scattered) const;            // Sets these entries to 0 again.
  void prefetch() const;                              // Prefetches what the next call will read.
  std::size_t entry_count() const { return count_; }  // The cost of dot(), add_to(), scatter().
  std::size_t bytes() const;                          // Bytes of its entries.
  bool is_dense() const { return values_ == Values::dense; }

  bool is_class_difference() const { return values_ >= Values::difference_floats; }
  // Uses the input vector of `other` in place of its own if they are equal.
  void share_input(const PlaneVector& other);
  bool shares_input(const PlaneVector& other) const {
    return is_class_difference() && data_ == other.data_;
  }
  // Class differences only: a = input vector at plus() - input vector at minus().
  std::int32_t plus() const { return plus_; }
  std::int32_t minus() const { return minus_; }
  double input_dot(const double* x) const;           // <input vector, x>
  void add_input_to(double scale, double* x) const;  // x += scale input vector

  // Moves its entries to this memory, which must outlive all planes that share them.
  void move_to(std::pmr::memory_resource& memory);

  // Saves the form as it is. So a loaded plane gives the same bits in every product.
  void save(StateWriter& out) const;
  static PlaneVector load(StateReader& in, std::size_t dimension);

  // Calls function(std::size_t j) for every stored entry. A class difference may have zeros.
  template <class Function>
  void for_each_index(Function&& function) const;
  // Calls function(std::size_t j, double a_j), likewise.
  template <class Function>
  void for_each_entry(Function&& function) const;

 private:
  // difference_: a class difference; it stores values and indices of its input vector.
  enum class Values : std::uint8_t {
    runs,
    floats,
    doubles,
    dense,
    difference_floats,
    difference_doubles
  };
  enum class Indices : std::uint8_t { shorts, ints, strided };  // strided: only class differences

  // Allocates memory for this form.
  PlaneVector(Values values, Indices indices, std::size_t count, std::size_t runs);

  static PlaneVector class_difference(const SparseVector& input, std::int32_t plus,
                                      std::int32_t minus);

  // Calls function(view) with the view of linalg/vector.hpp, or the span, of this form. visit_input
  // calls it with the InputVectorView of a class difference.
  template <class Function>
  decltype(auto) visit(Function&& function) const;
  template <class Index, class Function>
  decltype(auto) visit_sparse(Function&& function) const;
  template <class Function>
  decltype(auto) visit_input(Function&& function) const;

  template <class Index>
  void write_entries(const SparseVector& a, std::span<const double> values_of_runs);
  template <class Value>
  void write_input(const SparseVector& input, std::uint32_t stride);
  void require_valid(const StateReader& in, std::size_t dimension) const;
  void require_runs(const StateReader& in) const;

  bool has_floats() const {
    return values_ == Values::floats || values_ == Values::difference_floats;
  }
  // Entries whose indices are stored. Their values are stored too, except in runs.
  std::size_t stored_count() const { return is_class_difference() ? count_ / 2 : count_; }
  std::size_t index_offset() const;  // offset of the indices in data_, or of the stride
  template <class Number>
  const Number* array_at(std::size_t byte_offset) const {
    return reinterpret_cast<const Number*>(data_.get() + byte_offset);
  }
  template <class Number>
  Number* array_at(std::size_t byte_offset) {
    return reinterpret_cast<Number*>(data_.get() + byte_offset);
  }
  template <class Index>
  std::span<const Index> indices() const {
    return {array_at<Index>(index_offset()), stored_count()};
  }

  // Values, then the ends of the runs, then indices. The widest come first, so all are aligned.
  std::shared_ptr<std::byte[]> data_;
  std::int32_t plus_ = 0;
  std::int32_t minus_ = 0;
  std::uint32_t count_ = 0;  // entries
  std::uint16_t runs_ = 0;
  Values values_ = Values::runs;
  Indices indices_ = Indices::shorts;
};

// Planes lie anywhere in memory, so the hardware cannot guess the next one. Once its first lines
// are read, it can.
inline void PlaneVector::prefetch() const {
  constexpr std::size_t line = 64;
  constexpr std::size_t max_length = 8 * line;
  const std::size_t width = indices_ == Indices::ints ? 4 : 2;
  const std::size_t length = std::min(max_length, count_ * width);  // within every form
  for (std::size_t at = 0; at < length; at += line) __builtin_prefetch(data_.get() + at);
}

template <class Index, class Function>
decltype(auto) PlaneVector::visit_sparse(Function&& function) const {
  const std::span<const Index> index = indices<Index>();
  if (values_ == Values::runs) {
    return function(RunsView<Index>{index,
                                    {array_at<double>(0), std::size_t{runs_}},
                                    array_at<std::uint32_t>(runs_ * sizeof(double))});
  }
  if (values_ == Values::floats) {
    return function(SparseView<Index, float>{index, array_at<float>(0)});
  }
  return function(SparseView<Index, double>{index, array_at<double>(0)});
}

template <class Function>
decltype(auto) PlaneVector::visit_input(Function&& function) const {
  const auto call_with = [&](const auto& index) {
    using Indices = std::remove_cvref_t<decltype(index)>;
    if (has_floats()) return function(InputVectorView<Indices, float>{index, array_at<float>(0)});
    return function(InputVectorView<Indices, double>{index, array_at<double>(0)});
  };
  if (indices_ == Indices::shorts) return call_with(indices<std::uint16_t>());
  if (indices_ == Indices::ints) return call_with(indices<std::int32_t>());
  return call_with(StridedIndices(*array_at<std::uint32_t>(index_offset()), stored_count()));
}

template <class Function>
decltype(auto) PlaneVector::visit(Function&& function) const {
  if (values_ == Values::dense) return function(std::span(array_at<double>(0), count_));
  if (is_class_difference()) {
    return visit_input([&]<class Index, class Value>(const InputVectorView<Index, Value>& input) {
      return function(ClassDifferenceView<Index, Value>{input, static_cast<std::size_t>(plus_),
                                                        static_cast<std::size_t>(minus_)});
    });
  }
  return indices_ == Indices::shorts ? visit_sparse<std::uint16_t>(function)
                                     : visit_sparse<std::int32_t>(function);
}

template <class Function>
void PlaneVector::for_each_index(Function&& function) const {
  if (values_ == Values::dense) {
    for (std::size_t j = 0; j < count_; ++j) function(j);
    return;
  }
  visit([&function](const auto& a) {
    if constexpr (requires { a.input; }) {
      for (std::size_t k = 0; k < a.input.index.size(); ++k) {
        const auto j = static_cast<std::size_t>(a.input.index[k]);
        function(a.plus + j);
        function(a.minus + j);
      }
    } else if constexpr (requires { a.index; }) {
      for (std::size_t k = 0; k < a.index.size(); ++k) {
        function(static_cast<std::size_t>(a.index[k]));
      }
    }
  });
}

// Appends the columns of all stored entries.
inline void append_columns(const PlaneVector& a, std::vector<std::int32_t>& columns) {
  a.for_each_index([&](std::size_t j) { columns.push_back(static_cast<std::int32_t>(j)); });
}

template <class Function>
void PlaneVector::for_each_entry(Function&& function) const {
  visit([&function](const auto& a) {
    if constexpr (requires { a.input; }) {
      for (std::size_t k = 0; k < a.input.index.size(); ++k) {
        const auto j = static_cast<std::size_t>(a.input.index[k]);
        const auto value = static_cast<double>(a.input.value[k]);
        function(a.plus + j, value);
        function(a.minus + j, -value);
      }
    } else if constexpr (requires { a.end[0]; }) {
      std::size_t k = 0;
      for (std::size_t run = 0; run < a.value.size(); ++run) {
        for (; k < a.end[run]; ++k) function(static_cast<std::size_t>(a.index[k]), a.value[run]);
      }
    } else if constexpr (requires { a.index; }) {
      for (std::size_t k = 0; k < a.index.size(); ++k) {
        function(static_cast<std::size_t>(a.index[k]), static_cast<double>(a.value[k]));
      }
    } else {
      for (std::size_t j = 0; j < a.size(); ++j) function(j, a[j]);
    }
  });
}

}  // namespace sculpt::core
