// inner_product.hpp - the inner product of planes, if it is not that of their entries.
//
//   <a, a'> = a' M a,   v = sum alpha a,   w = M v
//
// With a kernel the entries of a plane are coefficients of atoms and blocks: M has the kernel's
// values, and w the scores of all atoms. Then <w, a> is a sum over the few entries of a, as
// without a kernel. Implemented by problem/kernel, used by WorkingSet and FaceAscent. M is positive
// semidefinite, or the run is not certified.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/file/state_stream.hpp"
#include "linalg/vector.hpp"
#include "qp/plane/chunk_product.hpp"
#include "qp/plane/plane_vector.hpp"

namespace sculpt::core {

struct SideTasks {
  std::int64_t count = 0;
  std::function<void(std::int64_t task)> run;
};

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
  // The same at the columns in use. Meanwhile runs these tasks [0, count), on all threads. [main]
  virtual void add_product_beside(const SparseVector& change, Vector& w, const SideTasks& tasks) {
    for (std::int64_t task = 0; task < tasks.count; ++task) tasks.run(task);
    add_product(change, Columns::in_use, w);
  }

  // A new chunk. This must outlive it.
  virtual std::unique_ptr<ChunkProduct> make_chunk() = 0;

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
