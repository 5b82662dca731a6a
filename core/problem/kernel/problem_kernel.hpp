// problem_kernel.hpp - the kernel of a problem: the layout of its weights, the products of planes,
// the scores of all atoms, and what a model stores.
//
// Held by Problem if the experiment has a kernel. Solvers work with w over the training atoms
// (KernelPlanes). Their result is v, the coefficients of the training atoms. Predictors need the
// scores of all atoms of the dataset as weights of the problem. A model has the coefficients of the
// support atoms alone: beta[support atom][block], then the linear part.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "linalg/vector.hpp"
#include "parallel/workers.hpp"
#include "problem/components/features.hpp"
#include "problem/kernel/atom_dataset.hpp"
#include "problem/kernel/kernel.hpp"
#include "problem/kernel/kernel_layout.hpp"
#include "problem/kernel/kernel_product.hpp"

namespace sculpt::core {

class ProblemKernel {
 public:
  // Requires sealed components, with features bound to `atoms`. All references must outlive it.
  // `training`: the examples to learn from. Throws Failure(Exit::config) if the features are not
  // linear in the rows.
  ProblemKernel(std::unique_ptr<Kernel> kernel, const AtomDataset& atoms, const Features& features,
                std::int64_t dimension, const ExampleList& training, Workers& workers);

  std::string name() const { return kernel_->name(); }
  bool is_positive() const { return kernel_->is_positive(); }
  const KernelLayout& layout() const { return layout_; }
  // The atoms of training example i, counted from the first training atom.
  Range atoms_of_training(std::int64_t i) const { return training_[static_cast<std::size_t>(i)]; }
  // [atoms][atoms] k between its atoms, in double precision. [main]
  std::vector<double> values_of_training(std::int64_t i);

  // Makes the product of planes, or makes it anew. Requires a problem made for training.
  // `max_row_bytes`: of the rows of the kernel in memory.
  void make_product(std::int64_t max_row_bytes);
  KernelProduct& product() { return *product_; }

  // The weights of the problem for the v of a solver: the exact scores of all atoms.
  Vector weights_of(const Vector& v);
  // ||w||^2 for the v of a solver and weights_of(v).
  double squared_norm(const Vector& v, const Vector& weights) const;

  // A v over fewer support atoms, whose w' is near to w. max_distance: of ||w - w'||. Requires a
  // kernel that is positive semidefinite. `poll`: called from time to time; it may throw.
  struct Pruned {
    Vector v;                 // [dimension]
    std::int64_t before = 0;  // support atoms
    std::int64_t after = 0;
    double distance = 0;  // an upper bound of ||w - w'||
  };
  Pruned prune(const Vector& v, double max_distance, const std::function<void()>& poll);
  // The largest k(a, a) of the training atoms.
  double largest_own_value();

  // What a model stores for the v of a solver.
  struct Stored {
    Vector weights;     // [support atoms][B], then the linear part
    std::string atoms;  // the support atoms, as load_atoms() reads them
  };
  Stored stored(const Vector& v);

  // The weights of the problem for the weights of a model. Requires that the components of the
  // kernel keep its atoms. Throws Failure(Exit::data) if the model has another number of weights.
  Vector weights_of_model(const Vector& weights, std::int64_t kept_count);
  // [kept_count] what each support atom of a model adds to <w, psi>: beta times the kernel. Without
  // the linear part. Arguments as for weights_of_model(); psi in the layout of the problem. [main]
  std::vector<double> support_shares(const Vector& weights, std::int64_t kept_count,
                                     const SparseVector& psi);
  // The v of a solver for the weights of a model. Finds its support atoms among the training atoms,
  // by the bytes that store() writes. `atoms`: as in Stored. Requires that weights_of_model()
  // accepts the weights. Throws Failure(Exit::data) if an atom is not among them.
  Vector coefficients_of_model(const Vector& weights, const std::string& atoms);
  // Weights of the problem in the layout of the solvers: the scores of the training atoms.
  Vector solver_weights(const Vector& weights) const;

 private:
  // Sets the weights of atoms by compute_scores().
  template <class Values>
  void set_scores(Range atoms, std::size_t count, const Vector& beta, const Values& values,
                  Vector& weights);
  void copy_training_scores(const Vector& w, Vector& weights) const;
  void copy_linear_part(const Vector& other, std::int64_t from, Vector& weights) const;

  std::unique_ptr<Kernel> kernel_;
  const AtomDataset& atoms_;
  Workers& workers_;
  KernelLayout layout_;
  std::vector<Range> training_;  // [training examples]
  std::optional<KernelProduct> product_;
};

// What a model says of its support atoms.
struct StoredAtoms {
  std::vector<std::int64_t> examples;  // [atoms] by their numbers in the dataset of the training
  std::vector<KeptAtoms> entries;      // in the order of Kernel::store()
};
// Throws Failure(Exit::data) if the bytes are damaged.
StoredAtoms load_atoms(const std::string& bytes);

}  // namespace sculpt::core
