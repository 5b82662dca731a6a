#include "problem/kernel/kernel_planes.hpp"

#include <cstdlib>
#include <numeric>

#include "problem/kernel/solver_layout.hpp"

namespace sculpt::core {

KernelPlanes::KernelPlanes(PlaneSource& planes, ProblemKernel& kernel)
    : planes_(planes),
      kernel_(kernel),
      layout_(kernel.layout()),
      weights_(static_cast<std::size_t>(layout_.problem_dimension), 0.0) {}

InnerProduct* KernelPlanes::inner_product(std::int64_t max_bytes) {
  kernel_.make_product(max_bytes);
  return &kernel_.product();
}

InnerProduct* KernelPlanes::joint_inner_product(std::int64_t max_bytes, bool is_exact) {
  kernel_.make_product(max_bytes);
  return &joint_product_.emplace(kernel_.product(), is_exact);
}

// A wrong kernel makes right answers contradict each other, so the message names both.
// The compiler does not see that virtual functions never return.
void KernelPlanes::report_contradiction(std::int64_t example, const std::string& text) const {
  const std::string doubt =
      "either the kernel (" + kernel_.name() +
      ") is not positive semidefinite, as it claims, or this oracle is wrong: ";
  planes_.report_contradiction(
      example, kernel_.is_positive() ? doubt + text + "; sculpt check tests both" : text);
  std::abort();
}

void KernelPlanes::report_inseparable(std::span<const std::int64_t> examples,
                                      const std::string& text) const {
  planes_.report_inseparable(examples, text);
  std::abort();
}

// Sets the weights of the atoms of these examples, and the linear part.
void KernelPlanes::pass_weights(WeightView w, std::span<const std::int64_t> examples) {
  const Vector& scores = w.dense();
  const auto count = static_cast<std::size_t>(layout_.training_count());
  const auto blocks = static_cast<std::size_t>(layout_.blocks);
  std::vector<std::int64_t> atoms;
  for (const std::int64_t example : examples) {
    const Range range = kernel_.atoms_of_training(example);
    for (std::int64_t t = range.begin; t < range.end; ++t) atoms.push_back(t);
  }
  // A group of atoms at a time: the scores of a block are neighbors, and so are those of an atom.
  constexpr std::size_t group_size = 64;
  for (std::size_t from = 0; from < atoms.size(); from += group_size) {
    const auto group = std::span(atoms).subspan(from, std::min(group_size, atoms.size() - from));
    double* const to = weights_.data() + layout_.first;
    for (std::size_t b = 0; b < blocks; ++b) {
      for (const std::int64_t t : group) {
        to[static_cast<std::size_t>(layout_.training.begin + t) * blocks + b] =
            scores[b * count + static_cast<std::size_t>(t)];
      }
    }
  }
  for (std::int64_t l = 0; l < layout_.linear_count(); ++l) {
    weights_[static_cast<std::size_t>(layout_.problem_index_of_linear(l))] =
        scores[static_cast<std::size_t>(layout_.linear_from() + l)];
  }
}

void KernelPlanes::separate(WeightView w, std::span<const std::int64_t> examples, const Pass& pass,
                            std::vector<Separation>& out) {
  pass_weights(w, examples);
  planes_.separate(weights_, examples, pass, out);
  violated_.clear();
  for (std::size_t k = 0; k < out.size(); ++k) {
    to_solver(out[k].plane.a);
    for (NextBestPlane& next : out[k].next_best) to_solver(next.plane.a);
    if (out[k].low > 0) violated_.push_back(examples[k]);
  }
  if (pass.makes_steps) kernel_.product().load_rows_of(violated_);
}

void KernelPlanes::to_solver(SparseVector& a) {
  move_to_solver_layout(layout_, a, entries_);
}

void KernelPlanes::separate_jointly(WeightView w, const Pass& pass, JointWeight weight,
                                    JointSeparation& out) {
  std::vector<std::int64_t> examples(static_cast<std::size_t>(example_count()));
  std::iota(examples.begin(), examples.end(), std::int64_t{0});
  pass_weights(w, examples);
  planes_.separate_jointly(weights_, pass, weight, out);
  out.a = kernel_.solver_weights(out.a);
  out.max_squared_norm = 0;
  violated_.clear();
  for (const std::int64_t example : examples) {
    if (out.low[static_cast<std::size_t>(example)] > 0) violated_.push_back(example);
  }
  if (pass.makes_steps) kernel_.product().load_rows_of(violated_);
}

}  // namespace sculpt::core
