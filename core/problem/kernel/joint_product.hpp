// joint_product.hpp - the inner product of joint planes: sums over examples, with atoms of them
// all.
//
// Held by KernelPlanes, for one_slack. M a of a joint plane costs a row of the kernel for each of
// its atoms. So the working set multiplies each plane once, when it is added, and keeps the
// products. The sums themselves are those of KernelProduct. Under hard margin they have no rounding
// of single precision: the QP works with products alone, and must satisfy margins to 1e-9.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "linalg/products.hpp"
#include "linalg/vector.hpp"
#include "problem/kernel/kernel_product.hpp"
#include "qp/plane/inner_product.hpp"

namespace sculpt::core {

class JointProduct : public InnerProduct {
 public:
  // The product must outlive it. `is_exact`: multiplies by multiply_exactly() in any case.
  JointProduct(KernelProduct& product, bool is_exact) : product_(product), is_exact_(is_exact) {}

  double work_per_entry() const override { return product_.work_per_entry(); }
  // All columns are in use.
  void use_columns_of(const PlaneVector&) override {}
  void save_columns(StateWriter& out) const override { out.put_array(std::vector<std::int64_t>()); }
  void load_columns(StateReader& in) override {
    std::vector<std::int64_t> columns;
    in.get_array(columns);
    in.require(columns.empty(), "columns of joint planes");
  }
  void add_product(const SparseVector& change, Columns columns, Vector& w) override {
    if (columns != Columns::others) add(change, w);
  }
  // There is one block.
  std::unique_ptr<ChunkProduct> make_chunk() override { return nullptr; }
  void multiply_exactly(const Vector& v, Vector& w) override { product_.multiply_exactly(v, w); }

  // M a has an entry for every atom, so unscatter() clears the whole vector. Unlike the scatter()
  // of other inner products it loads rows, so it runs on the main thread alone. one_slack adds its
  // joint planes there, one at a time. [main]
  void scatter(std::int64_t, const PlaneVector& a, Vector& zeros) const override {
    std::vector<std::pair<std::int32_t, double>> entries;
    a.for_each_entry([&](std::size_t j, double value) {
      if (value != 0) entries.emplace_back(static_cast<std::int32_t>(j), value);
    });
    // Planes with few distinct values have their entries by value.
    std::sort(entries.begin(), entries.end());
    SparseVector sorted;
    for (const auto& [index, value] : entries) {
      sorted.index.push_back(index);
      sorted.value.push_back(value);
    }
    add(sorted, zeros);
  }
  void unscatter(std::int64_t, const PlaneVector&, Vector& scattered) const override {
    std::fill(scattered.begin(), scattered.end(), 0.0);
  }

 private:
  void add(const SparseVector& change, Vector& w) const {
    if (!is_exact_) return product_.add_product(change, Columns::all, w);
    Vector dense(w.size(), 0.0);
    axpy(1, change, dense);
    Vector product(w.size(), 0.0);
    product_.multiply_exactly(dense, product);
    for (std::size_t j = 0; j < w.size(); ++j) w[j] += product[j];
  }

  KernelProduct& product_;
  bool is_exact_;
};

}  // namespace sculpt::core
