// kernel_product.hpp - the inner product of planes over atoms and blocks:
//
//   <a, a'> = sum over blocks b, atoms s, t of  a[b][s] k(s, t) a'[b][t]   +  linear parts
//
// Held by ProblemKernel, called by WorkingSet and FaceAscent. With w = M v, w[b][s] is the score of
// atom s in block b. A change of one coefficient costs one row of the kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "problem/components/dataset.hpp"
#include "problem/kernel/kernel_layout.hpp"
#include "problem/kernel/kernel_parts.hpp"
#include "problem/kernel/kernel_rows.hpp"
#include "qp/plane/inner_product.hpp"

namespace sculpt::core {

class KernelProduct : public InnerProduct {
 public:
  // `atoms_of_example`: [training examples] counted from the first training atom. All references
  // must outlive it. Throws Failure(Exit::config) if the values between the atoms of single
  // examples take too much memory.
  KernelProduct(Kernel& kernel, Workers& workers, const KernelLayout& layout,
                std::vector<Range> atoms_of_example, std::int64_t max_row_bytes);

  // Neighbours in memory are added several at a time.
  double work_per_entry() const override { return 0.25 * static_cast<double>(count_); }
  void use_columns_of(const PlaneVector& a) override;
  void add_product(const SparseVector& change, Columns columns, Vector& w) override;
  void add_product_beside(const SparseVector& change, Vector& w, const SideTasks& tasks) override;
  std::unique_ptr<ChunkProduct> make_chunk() override;
  void save_columns(StateWriter& out) const override { parts_.save(out); }
  void load_columns(StateReader& in) override { parts_.load(in); }
  void multiply_exactly(const Vector& v, Vector& w) override;
  void scatter(std::int64_t block, const PlaneVector& a, Vector& zeros) const override;
  void unscatter(std::int64_t block, const PlaneVector& a, Vector& scattered) const override;

  // The result of multiply_exactly() if this v was the last one, else nullptr.
  const Vector* exact_product_of(const Vector& v) const {
    return v == exact_v_ ? &exact_w_ : nullptr;
  }

  // Loads the rows that a step in these examples needs, on all threads.
  void load_rows_of(std::span<const std::int64_t> examples);
  const KernelRows& rows() const { return rows_; }

 private:
  using Entry = KernelParts::Entry;

  void compute_matrices();
  std::vector<Entry> entries_of_atoms(const SparseVector& change) const;
  void add_linear_part(const SparseVector& change, Vector& w) const;
  std::size_t count_atoms(std::span<const Entry> entries) const;
  template <class Function>
  void for_each_batch(std::vector<Entry>& entries, const Function& function) const;
  void load(std::span<const Entry> entries, Columns columns);
  void add_entries(std::span<Entry> entries, Columns columns, Vector& w, const SideTasks& beside);
  void add(const SparseVector& change, Columns columns, Vector& w, SideTasks beside);
  void run_beside(const SideTasks& tasks);

  Kernel& kernel_;
  Workers& workers_;
  KernelLayout layout_;
  std::size_t count_;  // T
  std::vector<Range> atoms_of_example_;
  KernelRows rows_;
  KernelParts parts_;
  std::vector<std::size_t> matrix_from_;  // [examples] where the matrix of each begins
  std::vector<float> matrices_;           // k between the atoms of each example, as in rows_
  Vector exact_v_, exact_w_;              // of the last multiply_exactly()
  std::vector<std::int32_t> atoms_;       // scratch memory
};

}  // namespace sculpt::core
