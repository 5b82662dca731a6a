#include "problem/kernel/problem_kernel.hpp"

#include <sculpt/ext/draft/row_blocks.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/file/memory_state_reader.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_row_blocks> {
  static constexpr const char* id = SCULPT_EXT_ROW_BLOCKS;
  static constexpr std::size_t required_functions = 1;
};

namespace {

// Atoms whose scores one task computes, and values of the kernel that it holds at once.
constexpr std::int64_t atoms_per_task = 16;

sculpt_row_blocks blocks_of(const Features& features) {
  const Component& component = features.component();
  const auto* const table = component.extension<sculpt_ext_row_blocks>();
  if (table == nullptr) {
    component.refuse(Exit::config, -1,
                     "does not work with a kernel: it does not say where the weights of rows are "
                     "(" SCULPT_EXT_ROW_BLOCKS "); leave out \"kernel\", or use features that "
                     "offer it, such as multiclass or chain");
  }
  sculpt_row_blocks blocks = {};
  blocks.struct_size = sizeof blocks;
  component.call("row-blocks.blocks", -1, [&](sculpt_error* error) {
    return table->blocks(component.self(), &blocks, error);
  });
  return blocks;
}

// The atoms whose coefficients are not all 0, by their number in the dataset. beta[atoms][B]: their
// coefficients.
std::vector<std::int64_t> support_of(const Vector& v, const KernelLayout& layout, Vector& beta) {
  std::vector<std::int64_t> support;
  Vector coefficients(static_cast<std::size_t>(layout.blocks));
  for (std::int64_t t = 0; t < layout.training_count(); ++t) {
    for (std::size_t b = 0; b < coefficients.size(); ++b) {
      coefficients[b] = v[b * static_cast<std::size_t>(layout.training_count()) +
                          static_cast<std::size_t>(t)];
    }
    const auto is_zero = [](double value) { return value == 0; };
    if (std::all_of(coefficients.begin(), coefficients.end(), is_zero)) continue;
    support.push_back(layout.training.begin + t);
    beta.insert(beta.end(), coefficients.begin(), coefficients.end());
  }
  return support;
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

void ProblemKernel::make_product(std::int64_t max_row_bytes) {
  product_.emplace(*kernel_, workers_, layout_, training_, max_row_bytes);
}

template <class Values>
void ProblemKernel::add_scores(std::size_t count, const Vector& beta, Vector& weights,
                               const Values& values) {
  const auto blocks = static_cast<std::size_t>(layout_.blocks);
  workers_.run_ranges(
      layout_.atom_count, atoms_per_task, [&](std::int64_t begin, std::int64_t end, int worker) {
        std::vector<std::int64_t> numbers(static_cast<std::size_t>(end - begin));
        std::iota(numbers.begin(), numbers.end(), begin);
        std::vector<double> rows(numbers.size() * count);
        values(worker, numbers, rows);
        const double* value = rows.data();
        for (std::int64_t atom = begin; atom < end; ++atom) {
          double* const scores = weights.data() + layout_.first + atom * layout_.blocks;
          const double* coefficient = beta.data();
          for (std::size_t s = 0; s < count; ++s, ++value) {
            for (std::size_t b = 0; b < blocks; ++b) scores[b] += *value * *coefficient++;
          }
        }
      });
}

ProblemKernel::Stored ProblemKernel::stored(const Vector& v) {
  Stored stored;
  const std::vector<std::int64_t> support = support_of(v, layout_, stored.weights);
  stored.weights.insert(stored.weights.end(), v.begin() + layout_.linear_from(), v.end());
  std::vector<KeptAtoms> kept;
  kernel_->store(support, kept);
  StateBuffer out;
  out.put(static_cast<std::uint64_t>(support.size()));
  out.put(static_cast<std::uint64_t>(kept.size()));
  for (const KeptAtoms& entry : kept) {
    out.put_array(entry.from);
    out.put_array(entry.bytes);
  }
  stored.atoms = std::string(out.bytes());
  return stored;
}

Vector ProblemKernel::weights_of(const Vector& v) {
  Vector beta;
  const std::vector<std::int64_t> support = support_of(v, layout_, beta);
  Vector weights(static_cast<std::size_t>(layout_.problem_dimension), 0.0);
  for (std::int64_t l = 0; l < layout_.linear_count(); ++l) {
    weights[static_cast<std::size_t>(layout_.problem_index_of_linear(l))] =
        v[static_cast<std::size_t>(layout_.linear_from() + l)];
  }
  add_scores(support.size(), beta, weights,
             [&](int worker, std::span<const std::int64_t> atoms, std::span<double> out) {
               kernel_->rows(worker, atoms, support, out);
             });
  return weights;
}

double ProblemKernel::squared_norm(const Vector& v, const Vector& weights) const {
  double sum = 0;
  for (std::int64_t t = 0; t < layout_.training_count(); ++t) {
    for (std::int64_t b = 0; b < layout_.blocks; ++b) {
      const std::int64_t weight =
          layout_.first + (layout_.training.begin + t) * layout_.blocks + b;
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
  for (std::int64_t l = 0; l < layout_.linear_count(); ++l) {
    weights[static_cast<std::size_t>(layout_.problem_index_of_linear(l))] =
        stored[static_cast<std::size_t>(rows + l)];
  }
  add_scores(static_cast<std::size_t>(kept_count), stored, weights,
             [&](int worker, std::span<const std::int64_t> atoms, std::span<double> out) {
               kernel_->kept_rows(worker, atoms, {0, kept_count}, out);
             });
  return weights;
}

std::vector<KeptAtoms> load_atoms(const std::string& bytes) {
  MemoryStateReader in(bytes, "; the support atoms of the model are damaged, so train again");
  const auto count = in.get<std::uint64_t>();
  const auto entries = in.get<std::uint64_t>();
  std::vector<KeptAtoms> kept;
  for (std::uint64_t k = 0; k < entries; ++k) {
    KeptAtoms& entry = kept.emplace_back();
    in.get_array(entry.from);
    in.get_array(entry.bytes);
    in.require(entry.from.size() == count + 1 && entry.from.front() == 0 &&
                   std::is_sorted(entry.from.begin(), entry.from.end()) &&
                   entry.from.back() == std::ssize(entry.bytes),
               "support atoms of another size");
  }
  in.require(in.bytes_left() == 0, "more than the support atoms");
  return kept;
}

}  // namespace sculpt::core
