#include "problem/kernel/problem_kernel.hpp"

#include <sculpt/ext/row_blocks.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/file/memory_state_reader.hpp"
#include "problem/kernel/atom_selection.hpp"
#include "problem/kernel/kernel_scores.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_row_blocks> {
  static constexpr const char* id = SCULPT_EXT_ROW_BLOCKS;
  static constexpr std::size_t required_functions = 1;
};

namespace {

sculpt_row_blocks blocks_of(const Features& features) {
  const Component& component = features.component();
  const auto* const table = component.extension<sculpt_ext_row_blocks>();
  if (table == nullptr) {
    component.refuse(Exit::config, -1,
                     "does not work with a kernel: it does not say where the weights of rows are "
                     "(" SCULPT_EXT_ROW_BLOCKS
                     "); leave out \"kernel\", or use features that "
                     "offer it, such as multiclass or chain");
  }
  sculpt_row_blocks blocks = {};
  blocks.struct_size = sizeof blocks;
  component.call("row-blocks.blocks", -1, [&](sculpt_error* error) {
    return table->blocks(component.self(), &blocks, error);
  });
  return blocks;
}

// The bytes of an atom in all entries of Kernel::store(), each with its length.
std::string bytes_of_atom(const std::vector<KeptAtoms>& entries, std::size_t atom) {
  std::string bytes;
  for (const KeptAtoms& entry : entries) {
    const std::int64_t from = entry.from[atom];
    const std::int64_t size = entry.from[atom + 1] - from;
    bytes += std::to_string(size) + ":";
    bytes.append(entry.bytes, static_cast<std::size_t>(from), static_cast<std::size_t>(size));
  }
  return bytes;
}

}  // namespace

ProblemKernel::ProblemKernel(std::unique_ptr<Kernel> kernel, const AtomDataset& atoms,
                             const Features& features, std::int64_t dimension,
                             const ExampleList& training, Workers& workers)
    : kernel_(std::move(kernel)), atoms_(atoms), workers_(workers) {
  const sculpt_row_blocks blocks = blocks_of(features);
  layout_ = {atoms.atom_count(), {0, 0}, blocks.first, blocks.block_count, dimension};
  const bool fits = blocks.block_count >= 1 && blocks.first >= 0 &&
                    blocks.first + blocks.block_count * atoms.atom_count() <= dimension;
  if (!fits) {
    features.component().refuse(
        Exit::plugin, -1,
        "says that the weights of rows begin at " + std::to_string(blocks.first) + ", in " +
            std::to_string(blocks.block_count) + " blocks (" SCULPT_EXT_ROW_BLOCKS "), but has " +
            std::to_string(dimension) + " weights for " + std::to_string(atoms.atom_count()) +
            " rows");
  }
  if (training.size() == 0) return;
  layout_.training = atoms.atoms(training[0]);
  for (std::int64_t i = 0; i < training.size(); ++i) {
    const Range range = atoms.atoms(training[i]);
    layout_.training.begin = std::min(layout_.training.begin, range.begin);
    layout_.training.end = std::max(layout_.training.end, range.end);
    training_.push_back(range);
  }
  for (Range& range : training_) {
    range.begin -= layout_.training.begin;
    range.end -= layout_.training.begin;
  }
}

std::vector<double> ProblemKernel::values_of_training(std::int64_t i) {
  const Range range = atoms_of_training(i);
  std::vector<std::int64_t> atoms(static_cast<std::size_t>(range.size()));
  std::iota(atoms.begin(), atoms.end(), layout_.training.begin + range.begin);
  std::vector<double> values(atoms.size() * atoms.size());
  kernel_->rows(0, atoms, atoms, values);
  return values;
}

void ProblemKernel::make_product(std::int64_t max_row_bytes) {
  product_.emplace(*kernel_, workers_, layout_, training_, max_row_bytes);
}

template <class Values>
void ProblemKernel::set_scores(Range atoms, std::size_t count, const Vector& beta,
                               const Values& values, Vector& weights) {
  compute_scores(workers_, atoms, count, beta, static_cast<std::size_t>(layout_.blocks), values,
                 [&](std::int64_t atom, std::span<const double> scores) {
                   std::copy(scores.begin(), scores.end(),
                             weights.begin() + layout_.first + atom * layout_.blocks);
                 });
}

// The reverse of solver_weights(), without the linear part.
void ProblemKernel::copy_training_scores(const Vector& w, Vector& weights) const {
  const std::int64_t begin = layout_.first + layout_.training.begin * layout_.blocks;
  for (std::int64_t t = 0; t < layout_.training_count(); ++t) {
    for (std::int64_t b = 0; b < layout_.blocks; ++b) {
      weights[static_cast<std::size_t>(begin + t * layout_.blocks + b)] =
          w[static_cast<std::size_t>(b * layout_.training_count() + t)];
    }
  }
}

// Copies the linear part, which begins at `from`.
void ProblemKernel::copy_linear_part(const Vector& other, std::int64_t from,
                                     Vector& weights) const {
  for (std::int64_t l = 0; l < layout_.linear_count(); ++l) {
    weights[static_cast<std::size_t>(layout_.problem_index_of_linear(l))] =
        other[static_cast<std::size_t>(from + l)];
  }
}

ProblemKernel::Pruned ProblemKernel::prune(const Vector& v, double max_distance,
                                           const std::function<void()>& poll) {
  const SupportAtoms support = support_atoms(v, layout_.training, layout_.blocks);
  const SelectedAtoms selected =
      select_atoms(*kernel_, workers_, support, layout_.blocks, max_distance, poll);
  Pruned pruned{v, std::ssize(support.atoms), std::ssize(selected.support.atoms),
                selected.distance};
  std::fill(pruned.v.begin(), pruned.v.begin() + layout_.linear_from(), 0.0);
  const double* beta = selected.support.beta.data();
  for (const std::int64_t atom : selected.support.atoms) {
    for (std::int64_t b = 0; b < layout_.blocks; ++b) {
      const std::int64_t t = atom - layout_.training.begin;
      pruned.v[static_cast<std::size_t>(b * layout_.training_count() + t)] = *beta++;
    }
  }
  return pruned;
}

double ProblemKernel::largest_own_value() {
  std::vector<std::int64_t> atoms(static_cast<std::size_t>(layout_.training_count()));
  std::iota(atoms.begin(), atoms.end(), layout_.training.begin);
  std::vector<double> values(atoms.size());
  kernel_->diagonal(0, atoms, values);
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

ProblemKernel::Stored ProblemKernel::stored(const Vector& v) {
  SupportAtoms support = support_atoms(v, layout_.training, layout_.blocks);
  Stored stored;
  stored.weights = std::move(support.beta);
  stored.weights.insert(stored.weights.end(), v.begin() + layout_.linear_from(), v.end());
  std::vector<KeptAtoms> kept;
  kernel_->store(support.atoms, kept);
  StateBuffer out;
  std::vector<std::int64_t> examples;
  for (const std::int64_t atom : support.atoms) examples.push_back(atoms_.example_of(atom));
  out.put_array(examples);
  out.put(static_cast<std::uint64_t>(kept.size()));
  for (const KeptAtoms& entry : kept) {
    out.put_array(entry.from);
    out.put_array(entry.bytes);
  }
  stored.atoms = std::string(out.bytes());
  return stored;
}

Vector ProblemKernel::weights_of(const Vector& v) {
  const SupportAtoms support = support_atoms(v, layout_.training, layout_.blocks);
  Vector weights(static_cast<std::size_t>(layout_.problem_dimension), 0.0);
  const auto values = [&](int worker, std::span<const std::int64_t> atoms, std::span<double> out) {
    kernel_->rows(worker, atoms, support.atoms, out);
  };
  const Vector* const known = product_ ? product_->exact_product_of(v) : nullptr;
  if (known != nullptr) copy_training_scores(*known, weights);
  const Range known_atoms = known != nullptr ? layout_.training : Range{0, 0};
  for (const Range atoms :
       {Range{0, known_atoms.begin}, Range{known_atoms.end, layout_.atom_count}}) {
    set_scores(atoms, support.atoms.size(), support.beta, values, weights);
  }
  copy_linear_part(v, layout_.linear_from(), weights);
  return weights;
}

double ProblemKernel::squared_norm(const Vector& v, const Vector& weights) const {
  double sum = 0;
  for (std::int64_t t = 0; t < layout_.training_count(); ++t) {
    for (std::int64_t b = 0; b < layout_.blocks; ++b) {
      const std::int64_t weight = layout_.first + (layout_.training.begin + t) * layout_.blocks + b;
      sum += v[static_cast<std::size_t>(b * layout_.training_count() + t)] *
             weights[static_cast<std::size_t>(weight)];
    }
  }
  for (std::int64_t l = layout_.linear_from(); l < layout_.dimension(); ++l) {
    sum += v[static_cast<std::size_t>(l)] * v[static_cast<std::size_t>(l)];
  }
  return sum;
}

Vector ProblemKernel::weights_of_model(const Vector& stored, std::int64_t kept_count) {
  const std::int64_t rows = kept_count * layout_.blocks;
  const std::int64_t expected = rows + layout_.linear_count();
  if (std::ssize(stored) != expected) {
    throw Failure(Exit::data, "the model has " + std::to_string(stored.size()) +
                                  " weights, but its " + std::to_string(kept_count) +
                                  " support atoms and its features need " +
                                  std::to_string(expected) + "; train again");
  }
  Vector weights(static_cast<std::size_t>(layout_.problem_dimension), 0.0);
  set_scores(
      {0, layout_.atom_count}, static_cast<std::size_t>(kept_count), stored,
      [&](int worker, std::span<const std::int64_t> atoms, std::span<double> out) {
        kernel_->kept_rows(worker, atoms, {0, kept_count}, out);
      },
      weights);
  copy_linear_part(stored, rows, weights);
  return weights;
}

std::vector<double> ProblemKernel::support_shares(const Vector& stored, std::int64_t kept_count,
                                                  const SparseVector& psi) {
  const auto blocks = static_cast<std::size_t>(layout_.blocks);
  std::vector<double> shares(static_cast<std::size_t>(kept_count), 0.0);
  std::vector<double> values(shares.size());
  std::int64_t known_atom = -1;  // of `values`
  for (std::size_t k = 0; k < psi.index.size(); ++k) {
    if (!layout_.belongs_to_atom(psi.index[k])) continue;
    const std::int64_t offset = psi.index[k] - layout_.first;
    const std::int64_t atom = offset / layout_.blocks;
    if (atom != known_atom) {
      kernel_->kept_rows(0, std::span(&atom, 1), {0, kept_count}, values);
      known_atom = atom;
    }
    const auto block = static_cast<std::size_t>(offset % layout_.blocks);
    for (std::size_t s = 0; s < shares.size(); ++s) {
      shares[s] += psi.value[k] * values[s] * stored[s * blocks + block];
    }
  }
  return shares;
}

Vector ProblemKernel::coefficients_of_model(const Vector& stored, const std::string& atoms) {
  std::vector<std::int64_t> training(static_cast<std::size_t>(layout_.training_count()));
  std::iota(training.begin(), training.end(), layout_.training.begin);
  std::vector<KeptAtoms> entries;
  kernel_->store(training, entries);
  // Of equal atoms, the first ones first.
  std::unordered_multimap<std::string, std::size_t> places;
  for (std::size_t t = training.size(); t-- > 0;) places.emplace(bytes_of_atom(entries, t), t);
  const std::vector<KeptAtoms> kept = load_atoms(atoms).entries;
  const std::int64_t count = kept.empty() ? 0 : kept.front().count();
  Vector v(static_cast<std::size_t>(layout_.dimension()), 0.0);
  for (std::int64_t s = 0; s < count; ++s) {
    const auto found = places.find(bytes_of_atom(kept, static_cast<std::size_t>(s)));
    if (found == places.end()) {
      throw Failure(Exit::data, "support atom " + std::to_string(s) +
                                    " of the model is no row of the training data; give the data "
                                    "of the run, or train again");
    }
    for (std::int64_t b = 0; b < layout_.blocks; ++b) {
      v[static_cast<std::size_t>(b * layout_.training_count()) + found->second] =
          stored[static_cast<std::size_t>(s * layout_.blocks + b)];
    }
    places.erase(found);
  }
  std::copy(stored.begin() + count * layout_.blocks, stored.end(),
            v.begin() + layout_.linear_from());
  return v;
}

Vector ProblemKernel::solver_weights(const Vector& weights) const {
  Vector out(static_cast<std::size_t>(layout_.dimension()));
  const std::int64_t begin = layout_.first + layout_.training.begin * layout_.blocks;
  for (std::int64_t t = 0; t < layout_.training_count(); ++t) {
    for (std::int64_t b = 0; b < layout_.blocks; ++b) {
      out[static_cast<std::size_t>(b * layout_.training_count() + t)] =
          weights[static_cast<std::size_t>(begin + t * layout_.blocks + b)];
    }
  }
  for (std::int64_t l = 0; l < layout_.linear_count(); ++l) {
    out[static_cast<std::size_t>(layout_.linear_from() + l)] =
        weights[static_cast<std::size_t>(layout_.problem_index_of_linear(l))];
  }
  return out;
}

StoredAtoms load_atoms(const std::string& bytes) {
  MemoryStateReader in(bytes, "; the support atoms of the model are damaged, so train again");
  StoredAtoms stored;
  in.get_array(stored.examples);
  const std::size_t count = stored.examples.size();
  const auto entries = in.get<std::uint64_t>();
  for (std::uint64_t k = 0; k < entries; ++k) {
    KeptAtoms& entry = stored.entries.emplace_back();
    in.get_array(entry.from);
    in.get_array(entry.bytes);
    in.require(entry.from.size() == count + 1 && entry.from.front() == 0 &&
                   std::is_sorted(entry.from.begin(), entry.from.end()) &&
                   entry.from.back() == std::ssize(entry.bytes),
               "support atoms of another size");
  }
  in.require(in.bytes_left() == 0, "more than the support atoms");
  return stored;
}

}  // namespace sculpt::core
