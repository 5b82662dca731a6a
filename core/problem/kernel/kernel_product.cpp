#include "problem/kernel/kernel_product.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

#include "problem/kernel/kernel_chunk.hpp"
#include "problem/kernel/kernel_scores.hpp"
#include "problem/kernel/kernel_terms.hpp"

namespace sculpt::core {
namespace {

// Of the memory for rows and parts.
constexpr double fraction_for_parts = 0.25;

// The values between the atoms of single examples take at most this memory.
constexpr std::size_t max_matrix_bytes = std::size_t{1} << 30;

// Rows that are in memory together, and scores that one task adds to.
constexpr std::size_t rows_at_a_time = 256;
constexpr std::size_t scores_per_task = 2048;

// Scores of one block, and what is added to them.
struct Task {
  std::size_t first, last;  // the terms
  std::size_t block;
  std::size_t from, size;  // the atoms, or their places among those that use the block
  bool has_parts;          // the latter
};

std::int64_t bytes_for_parts(std::int64_t max_bytes) {
  return static_cast<std::int64_t>(fraction_for_parts * static_cast<double>(max_bytes));
}

}  // namespace

KernelProduct::KernelProduct(Kernel& kernel, Workers& workers, const KernelLayout& layout,
                             std::vector<Range> atoms_of_example, std::int64_t max_row_bytes)
    : kernel_(kernel),
      workers_(workers),
      layout_(layout),
      count_(static_cast<std::size_t>(layout.training_count())),
      atoms_of_example_(std::move(atoms_of_example)),
      rows_(kernel, workers, layout.training, max_row_bytes - bytes_for_parts(max_row_bytes)),
      parts_(rows_, workers, static_cast<std::size_t>(layout.blocks),
             bytes_for_parts(max_row_bytes)) {
  std::size_t size = 0;
  for (const Range& atoms : atoms_of_example_) {
    matrix_from_.push_back(size);
    size += static_cast<std::size_t>(atoms.size() * atoms.size());
    if (size * sizeof(float) <= max_matrix_bytes) continue;
    throw Failure(
        Exit::config,
        "\"kernel\": the rows of single examples have more than 268435456 pairs, and each "
        "pair has a value; use smaller examples, or leave out \"kernel\"");
  }
  matrices_.resize(size);
  compute_matrices();
}

void KernelProduct::compute_matrices() {
  const auto compute = [&](std::size_t example, int worker) {
    const Range atoms = atoms_of_example_[example];
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(atoms.size()));
    std::iota(numbers.begin(), numbers.end(), layout_.training.begin + atoms.begin);
    std::vector<double> values(numbers.size() * numbers.size());
    kernel_.rows(worker, numbers, numbers, values);
    round_values(values, matrices_.data() + matrix_from_[example]);
  };
  workers_.run_ranges(std::ssize(atoms_of_example_), 16,
                      [&](std::int64_t begin, std::int64_t end, int worker) {
                        for (std::int64_t i = begin; i < end; ++i) {
                          compute(static_cast<std::size_t>(i), worker);
                        }
                      });
}

void KernelProduct::use_columns_of(const PlaneVector& a) {
  a.for_each_index([this](std::size_t j) {
    if (static_cast<std::int64_t>(j) >= layout_.linear_from()) return;
    parts_.use(j / count_, static_cast<std::int32_t>(j % count_));
  });
}

// Without the linear part. By block and atom.
std::vector<KernelProduct::Entry> KernelProduct::entries_of_atoms(
    const SparseVector& change) const {
  std::vector<Entry> entries;
  for (std::size_t k = 0; k < change.index.size(); ++k) {
    const auto j = static_cast<std::size_t>(change.index[k]);
    if (change.index[k] >= layout_.linear_from()) break;
    entries.push_back({static_cast<std::int32_t>(j % count_), j / count_, change.value[k]});
  }
  return entries;
}

void KernelProduct::add_linear_part(const SparseVector& change, Vector& w) const {
  for (std::size_t k = change.index.size(); k-- > 0;) {
    if (change.index[k] < layout_.linear_from()) break;
    w[static_cast<std::size_t>(change.index[k])] += change.value[k];
  }
}

std::size_t KernelProduct::count_atoms(std::span<const Entry> entries) const {
  std::vector<std::uint64_t> bits(count_ / 64 + 1);
  for (const Entry& entry : entries) {
    bits[static_cast<std::size_t>(entry.atom) / 64] |= std::uint64_t{1} << (entry.atom % 64);
  }
  std::size_t count = 0;
  for (const std::uint64_t word : bits) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

// Calls function(batch) for parts of the entries whose rows fit into memory together. Each part is
// by block and atom, as the entries are.
template <class Function>
void KernelProduct::for_each_batch(std::vector<Entry>& entries, const Function& function) const {
  const std::size_t most = std::min(rows_at_a_time, rows_.max_loaded());
  if (!entries.empty() && count_atoms(entries) <= most) return function(std::span(entries));
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& x, const Entry& y) { return x.atom < y.atom; });
  for (std::size_t begin = 0; begin < entries.size();) {
    std::size_t end = begin;
    for (std::size_t atoms = 0; end < entries.size(); ++end) {
      if (end > begin && entries[end - 1].atom == entries[end].atom) continue;
      if (++atoms > most) break;
    }
    const auto batch = std::span(entries).subspan(begin, end - begin);
    std::stable_sort(batch.begin(), batch.end(),
                     [](const Entry& x, const Entry& y) { return x.block < y.block; });
    function(batch);
    begin = end;
  }
}

void KernelProduct::add_product(const SparseVector& change, Columns columns, Vector& w) {
  add(change, columns, w, {});
}

void KernelProduct::add_product_beside(const SparseVector& change, Vector& w,
                                       const SideTasks& tasks) {
  add(change, Columns::in_use, w, tasks);
}

// Runs the tasks beside the first batch of entries.
void KernelProduct::add(const SparseVector& change, Columns columns, Vector& w, SideTasks beside) {
  if (columns != Columns::others) add_linear_part(change, w);
  std::vector<Entry> entries = entries_of_atoms(change);
  if (columns == Columns::others) {
    std::erase_if(entries, [this](const Entry& entry) { return parts_.is_full(entry.block); });
  }
  for_each_batch(entries, [&](std::span<Entry> batch) {
    load(batch, columns);
    add_entries(batch, columns, w, std::exchange(beside, {}));
  });
  run_beside(beside);
}

void KernelProduct::run_beside(const SideTasks& tasks) {
  workers_.run(tasks.count, [&](std::int64_t task, int) { tasks.run(task); });
}

void KernelProduct::load(std::span<const Entry> entries, Columns columns) {
  if (columns == Columns::in_use) return parts_.load(entries);
  atoms_.clear();
  for (const Entry& entry : entries) atoms_.push_back(entry.atom);
  make_distinct(atoms_);
  rows_.load(atoms_);
}

std::unique_ptr<ChunkProduct> KernelProduct::make_chunk() {
  return std::make_unique<KernelChunk>(rows_, parts_, workers_, layout_, atoms_of_example_);
}

// Adds rows or parts of these entries, which are by block, and in memory. Many of them on all
// threads: each thread has scores of its own, so every sum has the order of the entries.
void KernelProduct::add_entries(std::span<Entry> entries, Columns columns, Vector& w,
                                const SideTasks& beside) {
  std::vector<KernelTerm> terms;
  std::vector<Task> tasks;
  std::size_t work = 0;
  for (std::size_t first = 0; first < entries.size();) {
    const std::size_t block = entries[first].block;
    const bool has_parts = columns == Columns::in_use && !parts_.is_full(block);
    std::size_t last = first;
    for (; last < entries.size() && entries[last].block == block; ++last) {
      const Entry& entry = entries[last];
      terms.push_back({has_parts ? parts_.part(entry) : rows_.row(entry.atom), entry.value});
    }
    const std::size_t size = has_parts ? parts_.atoms(block).size() : count_;
    work += size * (last - first);
    for (std::size_t from = 0; from < size; from += scores_per_task) {
      tasks.push_back(
          {first, last, block, from, std::min(scores_per_task, size - from), has_parts});
    }
    first = last;
  }
  // Tasks of the same atoms follow each other, because they read the same rows.
  std::stable_sort(tasks.begin(), tasks.end(),
                   [](const Task& x, const Task& y) { return x.from < y.from; });
  const auto run = [&](std::int64_t number, int) {
    const Task& task = tasks[static_cast<std::size_t>(number)];
    std::array<double, scores_per_task> sum;
    std::fill_n(sum.begin(), task.size, 0.0);
    add_terms(std::span(terms).subspan(task.first, task.last - task.first), task.from, task.size,
              sum.data());
    double* const scores = w.data() + task.block * count_;
    if (task.has_parts) {
      const std::int32_t* const atoms = parts_.atoms(task.block).data() + task.from;
      for (std::size_t l = 0; l < task.size; ++l) scores[atoms[l]] += sum[l];
      return;
    }
    if (columns == Columns::others)
      parts_.clear_in_use(task.block, task.from, std::span(sum.data(), task.size));
    for (std::size_t l = 0; l < task.size; ++l) scores[task.from + l] += sum[l];
  };
  if (beside.count > 0) {  // first, because the first of them takes longest
    return workers_.run(beside.count + std::ssize(tasks), [&](std::int64_t number, int worker) {
      if (number < beside.count) return beside.run(number);
      run(number - beside.count, worker);
    });
  }
  constexpr std::size_t min_work = std::size_t{1} << 18;
  if (work >= min_work) return workers_.run(std::ssize(tasks), run);
  for (std::int64_t number = 0; number < std::ssize(tasks); ++number) run(number, 0);
}

void KernelProduct::multiply_exactly(const Vector& v, Vector& w) {
  if (v == exact_v_) {
    w = exact_w_;
    return;
  }
  const SupportAtoms support = support_atoms(v, layout_.training, layout_.blocks);
  compute_scores(
      workers_, layout_.training, support.atoms.size(), support.beta,
      static_cast<std::size_t>(layout_.blocks),
      [&](int worker, std::span<const std::int64_t> atoms, std::span<double> out) {
        kernel_.rows(worker, atoms, support.atoms, out);
      },
      [&](std::int64_t atom, std::span<const double> scores) {
        const auto t = static_cast<std::size_t>(atom - layout_.training.begin);
        for (std::size_t b = 0; b < scores.size(); ++b) w[b * count_ + t] = scores[b];
      });
  const auto linear = static_cast<std::size_t>(layout_.linear_from());
  std::copy(v.begin() + static_cast<std::ptrdiff_t>(linear), v.end(),
            w.begin() + static_cast<std::ptrdiff_t>(linear));
  exact_v_ = v;
  exact_w_ = w;
}

void KernelProduct::scatter(std::int64_t block, const PlaneVector& a, Vector& zeros) const {
  const auto example = static_cast<std::size_t>(block);
  const Range atoms = atoms_of_example_[example];
  const auto size = static_cast<std::size_t>(atoms.size());
  const float* const matrix = matrices_.data() + matrix_from_[example];
  a.for_each_entry([&](std::size_t j, double value) {
    if (static_cast<std::int64_t>(j) >= layout_.linear_from()) {
      zeros[j] += value;
      return;
    }
    const std::size_t first = j / count_ * count_ + static_cast<std::size_t>(atoms.begin);
    const KernelTerm term{matrix + (j - first) * size, value};
    add_terms(std::span(&term, 1), 0, size, zeros.data() + first);
  });
}

void KernelProduct::unscatter(std::int64_t block, const PlaneVector& a, Vector& scattered) const {
  const Range atoms = atoms_of_example_[static_cast<std::size_t>(block)];
  a.for_each_index([&](std::size_t j) {
    scattered[j] = 0;
    if (static_cast<std::int64_t>(j) >= layout_.linear_from()) return;
    const std::size_t first = j / count_ * count_ + static_cast<std::size_t>(atoms.begin);
    std::fill_n(scattered.begin() + static_cast<std::ptrdiff_t>(first), atoms.size(), 0.0);
  });
}

void KernelProduct::load_rows_of(std::span<const std::int64_t> examples) {
  atoms_.clear();
  for (const std::int64_t example : examples) {
    const Range atoms = atoms_of_example_[static_cast<std::size_t>(example)];
    if (atoms_.size() + static_cast<std::size_t>(atoms.size()) > rows_.max_loaded()) break;
    for (std::int64_t t = atoms.begin; t < atoms.end; ++t) {
      atoms_.push_back(static_cast<std::int32_t>(t));
    }
  }
  rows_.load(atoms_);
}

}  // namespace sculpt::core
