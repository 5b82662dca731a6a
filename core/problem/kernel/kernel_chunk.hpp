// kernel_chunk.hpp - a few examples that are solved on their own: the kernel between their atoms,
// and the scores of these.
//
// Made by KernelProduct. A change of one coefficient costs a row of the small matrix, which stays
// in the cache, in place of a row of the kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "parallel/workers.hpp"
#include "problem/components/dataset.hpp"
#include "problem/kernel/kernel_layout.hpp"
#include "problem/kernel/kernel_parts.hpp"
#include "problem/kernel/kernel_rows.hpp"
#include "problem/kernel/kernel_terms.hpp"
#include "qp/plane/chunk_product.hpp"

namespace sculpt::core {

class KernelChunk : public ChunkProduct {
 public:
  // All arguments must outlive it.
  KernelChunk(KernelRows& rows, const KernelParts& parts, Workers& workers,
              const KernelLayout& layout, std::span<const Range> atoms_of_example);

  std::size_t start(std::span<const std::int64_t> examples, const ChunkProduct* previous) override;
  std::int64_t copy_task_count() const override { return copy_tasks_; }
  void copy(std::int64_t task) override;
  void copy_w(const Vector& w, Vector& local) override;
  void follow(const SparseVector& change, Vector& local) override;
  void show(std::size_t example, Vector& local) const override;
  void move(std::size_t example, std::span<const PlaneVector> a, std::span<const double> change,
            Vector& local) override;

 private:
  struct Member {
    Range atoms;        // of the training atoms
    std::size_t first;  // the number of its first atom in the chunk
  };

  void take(std::span<const std::int64_t> examples);
  void prepare_copy();
  void collect(const Member& member, const PlaneVector& a, double factor, Vector& local);

  KernelRows& rows_;
  const KernelParts& parts_;
  Workers& workers_;
  const KernelLayout& layout_;
  std::span<const Range> atoms_of_example_;
  std::vector<Member> members_;
  std::vector<std::int32_t> atoms_;  // of the members
  std::int64_t copy_tasks_ = 0;
  std::vector<float> values_;  // [atoms][atoms] k
  // Of the previous chunk: its atoms, increasing, and k of each with the atoms of this one.
  std::vector<std::int32_t> previous_atoms_;
  std::vector<float> previous_values_;  // [previous atoms][atoms]
  std::vector<double> scores_;          // [blocks][atoms]
  // Of the change of one member: the sums [blocks][its atoms], zero between calls, and where they
  // are not 0.
  std::vector<double> coefficients_;
  std::vector<std::uint32_t> places_;
  std::vector<KernelTerm> terms_;  // scratch memory
};

}  // namespace sculpt::core
