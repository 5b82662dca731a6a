// plane_vector.hpp - the a of a plane in the working set, in the smallest form that keeps it
// exactly.
//
// Held by WorkingSet, read by Sweeps and FaceAscent. The QP reads planes from memory far more often
// than it computes with them: 2 bytes an entry instead of 12 are worth more than fewer entries, and
// all entries of a plane lie in one piece. Features are counted more often than measured, so most
// entries are 1 or -1 (times the loss or its root, under slack rescaling): those are kept in runs
// of equal values. Else values are floats where that keeps them, and indices short where they fit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "linalg/vector.hpp"
#include "state_stream.hpp"

namespace sculpt::core {

class PlaneVector {
 public:
  PlaneVector() = default;  // zero
  explicit PlaneVector(const SparseVector& a);
  explicit PlaneVector(const Vector& a);

  double dot(const Vector& x) const;                  // <a, x>
  void add_to(double scale, Vector& x) const;         // x += scale a
  void scatter(Vector& zeros) const;                  // zeros = a where a is not 0
  void unscatter(Vector& scattered) const;            // undoes it
  void prefetch() const;                              // asks for what the next call will read
  std::size_t entry_count() const { return count_; }  // the cost of each of the above
  std::size_t bytes() const;                          // of its entries
  bool is_dense() const { return values_ == Values::dense; }

  // In the form it has: what is loaded gives the same bits in every product.
  void save(StateWriter& out) const;
  static PlaneVector load(StateReader& in, std::size_t dimension);

  // function(std::size_t j) for every stored entry.
  template <class Function>
  void for_each_index(Function&& function) const;

 private:
  enum class Values : std::uint8_t { runs, floats, doubles, dense };

  PlaneVector(Values values, bool is_short, std::size_t count, std::size_t runs);

  // function(view) for the view of linalg/vector.hpp, or the span, that the form has.
  template <class Function>
  decltype(auto) visit(Function&& function) const;
  template <class Index, class Function>
  decltype(auto) visit_sparse(Function&& function) const;

  template <class Index>
  void fill(const SparseVector& a, std::span<const double> values_of_runs);
  void require_sound(const StateReader& in, std::size_t dimension) const;
  void require_runs(const StateReader& in) const;

  std::size_t index_at() const;  // where the indices begin in data_
  template <class Number>
  const Number* numbers(std::size_t at) const {
    return reinterpret_cast<const Number*>(data_.get() + at);
  }
  template <class Number>
  Number* numbers(std::size_t at) {
    return reinterpret_cast<Number*>(data_.get() + at);
  }

  // Values, then the ends of the runs, then indices: the widest first, so that all are aligned.
  std::unique_ptr<std::byte[]> data_;
  std::uint32_t count_ = 0;  // entries
  std::uint16_t runs_ = 0;
  Values values_ = Values::runs;
  bool short_ = true;  // 16 bits an index
};

// Planes lie anywhere, so that hardware cannot guess the next one; from its first lines on it can.
inline void PlaneVector::prefetch() const {
  constexpr std::size_t line = 64;
  constexpr std::size_t most = 8 * line;
  const std::size_t length = std::min(most, line + count_ * (short_ ? 2 : 4));
  for (std::size_t at = 0; at < length; at += line) __builtin_prefetch(data_.get() + at);
}

template <class Index, class Function>
decltype(auto) PlaneVector::visit_sparse(Function&& function) const {
  const std::span<const Index> index{numbers<Index>(index_at()), count_};
  if (values_ == Values::runs) {
    return function(RunsView<Index>{index,
                                    {numbers<double>(0), std::size_t{runs_}},
                                    numbers<std::uint32_t>(runs_ * sizeof(double))});
  }
  if (values_ == Values::floats) {
    return function(SparseView<Index, float>{index, numbers<float>(0)});
  }
  return function(SparseView<Index, double>{index, numbers<double>(0)});
}

template <class Function>
decltype(auto) PlaneVector::visit(Function&& function) const {
  if (values_ == Values::dense) return function(std::span(numbers<double>(0), count_));
  return short_ ? visit_sparse<std::uint16_t>(function) : visit_sparse<std::int32_t>(function);
}

template <class Function>
void PlaneVector::for_each_index(Function&& function) const {
  if (values_ == Values::dense) {
    for (std::size_t j = 0; j < count_; ++j) function(j);
  } else {
    visit([&function](const auto& a) {
      if constexpr (requires { a.index; }) {
        for (const auto j : a.index) function(static_cast<std::size_t>(j));
      }
    });
  }
}

}  // namespace sculpt::core
