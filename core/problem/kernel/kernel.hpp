// kernel.hpp - k(a, b) between the atoms of a dataset, or between them and the kept atoms of a
// model.
//
// Atoms are the rows of the dataset (ext/row_blocks.h). A kernel is a component, or made of
// others: a sum, a product, or a normalized one. A value depends on its two atoms alone. Made by
// make_kernel() for Problem, and called by KernelRows and KernelScores.
#pragma once

#include <sculpt/ext/kernel.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "problem/components/dataset.hpp"
#include "problem/plugin/component.hpp"

namespace sculpt::core {

// What a model stores of its support atoms.
struct KeptAtoms {
  std::string bytes;                     // of all atoms, one after the other
  std::vector<std::int64_t> from = {0};  // [count + 1] where those of each atom begin

  std::int64_t count() const { return static_cast<std::int64_t>(from.size()) - 1; }
};

// The failure of the host if a value is not finite, Exit::data. To most code it is a Failure.
class NotFinite : public Failure {
 public:
  explicit NotFinite(const std::string& text) : Failure(Exit::data, text) {}
};

class Kernel {
 public:
  virtual ~Kernel() = default;

  // The names of its components, for messages: "rbf, linear".
  virtual std::string name() const = 0;
  // True if it is positive semidefinite. Otherwise the dual proves nothing.
  virtual bool is_positive() const = 0;

  // out[atoms][others] = k(atoms[i], others[j]), row by row. Throws NotFinite, and the Failure of
  // the plugin. [worker]
  virtual void rows(int worker, std::span<const std::int64_t> atoms,
                    std::span<const std::int64_t> others, std::span<double> out) = 0;
  // out[atoms] = k(a, a). [worker]
  virtual void diagonal(int worker, std::span<const std::int64_t> atoms, std::span<double> out) = 0;
  // out[atoms][kept] = k(atoms[i], kept atom j), row by row, for a range of kept atoms. [worker]
  virtual void kept_rows(int worker, std::span<const std::int64_t> atoms, Range kept,
                         std::span<double> out) = 0;

  // Appends what a model stores of these atoms: one entry for each component, and for each
  // normalized kernel before those of its inner one. [main]
  virtual void store(std::span<const std::int64_t> atoms, std::vector<KeptAtoms>& out) = 0;
};

// A kernel that is a component of a plugin.
class ComponentKernel : public Kernel {
 public:
  // Requires a sealed component, which outlives this.
  ComponentKernel(Component& component, int threads);

  std::string name() const override { return component_.name(); }
  bool is_positive() const override { return is_positive_; }
  void rows(int worker, std::span<const std::int64_t> atoms, std::span<const std::int64_t> others,
            std::span<double> out) override;
  void diagonal(int worker, std::span<const std::int64_t> atoms, std::span<double> out) override;
  void kept_rows(int worker, std::span<const std::int64_t> atoms, Range kept,
                 std::span<double> out) override;
  void store(std::span<const std::int64_t> atoms, std::vector<KeptAtoms>& out) override;

 private:
  template <class Ask>
  void fill(const char* name, std::span<const std::int64_t> atoms, std::span<double> out,
            Ask&& ask);
  void require_finite(std::span<const double> values, std::span<const std::int64_t> atoms) const;

  Component& component_;
  const sculpt_kernel_api& api_;
  Sessions sessions_;
  bool is_positive_ = false;
};

// k(a, b) / sqrt(k(a, a) k(b, b)); 0 if k(a, a) or k(b, b) is not positive.
class NormalizedKernel : public Kernel {
 public:
  // `kept`: its entry of a model, or nullptr. Throws Failure(Exit::data) if it is damaged.
  NormalizedKernel(std::unique_ptr<Kernel> inner, const KeptAtoms* kept);

  std::string name() const override { return inner_->name(); }
  bool is_positive() const override { return inner_->is_positive(); }
  void rows(int worker, std::span<const std::int64_t> atoms, std::span<const std::int64_t> others,
            std::span<double> out) override;
  void diagonal(int worker, std::span<const std::int64_t> atoms, std::span<double> out) override;
  void kept_rows(int worker, std::span<const std::int64_t> atoms, Range kept,
                 std::span<double> out) override;
  void store(std::span<const std::int64_t> atoms, std::vector<KeptAtoms>& out) override;

 private:
  std::vector<double> diagonal_of(int worker, std::span<const std::int64_t> atoms);

  std::unique_ptr<Kernel> inner_;
  std::vector<double> kept_diagonal_;  // [kept atoms] k(a, a) of the inner kernel
};

// The sum of kernels with positive weights, or their product.
class CombinedKernel : public Kernel {
 public:
  enum class Rule { sum, product };
  // `weights`: [members], empty for a product.
  CombinedKernel(Rule rule, std::vector<std::unique_ptr<Kernel>> members,
                 std::vector<double> weights);

  std::string name() const override;
  bool is_positive() const override;
  void rows(int worker, std::span<const std::int64_t> atoms, std::span<const std::int64_t> others,
            std::span<double> out) override;
  void diagonal(int worker, std::span<const std::int64_t> atoms, std::span<double> out) override;
  void kept_rows(int worker, std::span<const std::int64_t> atoms, Range kept,
                 std::span<double> out) override;
  void store(std::span<const std::int64_t> atoms, std::vector<KeptAtoms>& out) override;

 private:
  // Calls fill(member, values) for each member, and combines the values in `out`.
  template <class Fill>
  void combine(std::span<double> out, Fill&& fill);

  Rule rule_;
  std::vector<std::unique_ptr<Kernel>> members_;
  std::vector<double> weights_;
};

}  // namespace sculpt::core
