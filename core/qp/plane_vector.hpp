// plane_vector.hpp - the a of a plane in the working set, in the smallest form that keeps it
// exactly.
//
// Held by WorkingSet, read by Sweeps and FaceAscent. The QP reads planes from memory far more often
// than it computes with them: 3 bytes an entry instead of 12 are worth as much as fewer entries.
// Counts are whole numbers; slack rescaling makes them multiples of the loss or of its root.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>

#include "linalg/vector.hpp"
#include "state_stream.hpp"

namespace sculpt::core {

class PlaneVector {
 public:
  explicit PlaneVector(SparseVector a);
  explicit PlaneVector(Vector a) : a_(std::move(a)) {}

  double dot(const Vector& x) const;           // <a, x>
  void add_to(double scale, Vector& x) const;  // x += scale a
  void scatter(Vector& zeros) const;           // zeros = a where a is not 0
  void unscatter(Vector& scattered) const;     // undoes it
  std::size_t entry_count() const;             // the cost of each of the above
  std::size_t bytes() const;                   // of its entries

  // In the form it has: what is loaded gives the same bits in every product.
  void save(StateWriter& out) const;
  static PlaneVector load(StateReader& in, std::size_t dimension);

  // function(std::size_t j) for every stored entry.
  template <class Function>
  void for_each_index(Function&& function) const;

 private:
  std::variant<SparseMultiples<std::uint16_t>, SparseMultiples<std::int32_t>, FloatSparseVector,
               SparseVector, Vector>
      a_;
};

template <class Function>
void PlaneVector::for_each_index(Function&& function) const {
  if (const Vector* dense = std::get_if<Vector>(&a_)) {
    for (std::size_t j = 0; j < dense->size(); ++j) function(j);
    return;
  }
  std::visit(
      [&function](const auto& a) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(a)>, Vector>) {
          for (const auto j : a.index) function(static_cast<std::size_t>(j));
        }
      },
      a_);
}

}  // namespace sculpt::core
