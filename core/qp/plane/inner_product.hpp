// inner_product.hpp - the inner product of planes, if it is not that of their entries.
//
//   <a, a'> = a' M a,   v = sum alpha a,   w = M v
//
// With a kernel the entries of a plane are coefficients of atoms and blocks: M has the kernel's
// values, and w the scores of all atoms. Then <w, a> is a sum over the few entries of a, as
// without a kernel. Implemented by problem/kernel, used by WorkingSet and FaceAscent. M is positive
// semidefinite, or the run is not certified.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/file/state_stream.hpp"
#include "linalg/vector.hpp"
#include "qp/plane/plane_vector.hpp"

namespace sculpt::core {

class InnerProduct {
 public:
  virtual ~InnerProduct() = default;

  // The work of add_product() for each entry of a change, in plane entries touched.
  virtual double work_per_entry() const = 0;

  // Columns of the planes of a working set are in use. All else waits until it is needed. All
  // working sets of this product share them. So each other one must be complete before one adds a
  // column (WorkingSet::complete_w()).
  virtual void use_columns_of(const PlaneVector& a) = 0;  // [main]
  enum class Columns { all, in_use, others };
  // w += M change, at these columns. Uses all threads. [main]
  virtual void add_product(const SparseVector& change, Columns columns, Vector& w) = 0;

  // Starts a chunk: the first of these blocks, as many as fit. Returns their number: 0 if the first
  // is too large. The functions of a chunk set and change a w at the coordinates of its planes
  // alone. [main]
  virtual std::size_t set_chunk(std::span<const std::int64_t> blocks) = 0;
  // local = w
  virtual void copy_chunk(const Vector& w, Vector& local) const = 0;
  // local += M change. Requires that the change is one of planes of the chunk.
  virtual void add_chunk_product(const SparseVector& change, Vector& local) const = 0;

  // The columns in use, which decide how w is rounded.
  virtual void save_columns(StateWriter& out) const = 0;
  virtual void load_columns(StateReader& in) = 0;

  // w = M v without the rounding of add_product(), which may work in single precision. Uses all
  // threads. [main]
  virtual void multiply_exactly(const Vector& v, Vector& w) = 0;

  // Writes M a into zeros, at the coordinates that planes of this block may have. `block` is the
  // number of an example. Any thread.
  virtual void scatter(std::int64_t block, const PlaneVector& a, Vector& zeros) const = 0;
  // Sets these entries to 0 again, for the same a or one with more entries.
  virtual void unscatter(std::int64_t block, const PlaneVector& a, Vector& scattered) const = 0;
};

}  // namespace sculpt::core
