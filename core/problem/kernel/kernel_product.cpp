#include "problem/kernel/kernel_product.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "problem/kernel/kernel_scores.hpp"

namespace sculpt::core {
namespace {

// The values between the atoms of single examples take at most this memory.
constexpr std::size_t max_matrix_bytes = std::size_t{1} << 30;

// Of a dense change: rows that are in memory together, and scores that one task adds to.
constexpr std::size_t rows_at_a_time = 64;
constexpr std::size_t scores_per_task = 2048;

// to += factor row. Every element has its own sum, so wider instructions give the same bits.
void add_row_plainly(const float* row, std::size_t size, double factor, double* __restrict to) {
  for (std::size_t t = 0; t < size; ++t) to[t] += factor * static_cast<double>(row[t]);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void add_row_wide(const float* row, std::size_t size, double factor,
                                          double* __restrict to) {
  for (std::size_t t = 0; t < size; ++t) to[t] += factor * static_cast<double>(row[t]);
}

void add_row(const float* row, std::size_t size, double factor, double* to) {
  static const bool has_wide = __builtin_cpu_supports("avx2") != 0;
  (has_wide ? add_row_wide : add_row_plainly)(row, size, factor, to);
}
#else
void add_row(const float* row, std::size_t size, double factor, double* to) {
  add_row_plainly(row, size, factor, to);
}
#endif

}  // namespace

KernelProduct::KernelProduct(Kernel& kernel, Workers& workers, const KernelLayout& layout,
                             std::vector<Range> atoms_of_example, std::int64_t max_row_bytes)
    : kernel_(kernel),
      workers_(workers),
      layout_(layout),
      count_(static_cast<std::size_t>(layout.training_count())),
      atoms_of_example_(std::move(atoms_of_example)),
      rows_(kernel, workers, layout.training, max_row_bytes) {
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
    std::transform(values.begin(), values.end(),
                   matrices_.begin() + static_cast<std::ptrdiff_t>(matrix_from_[example]),
                   [](double value) { return static_cast<float>(value); });
  };
  workers_.run_ranges(std::ssize(atoms_of_example_), 16,
                      [&](std::int64_t begin, std::int64_t end, int worker) {
                        for (std::int64_t i = begin; i < end; ++i) {
                          compute(static_cast<std::size_t>(i), worker);
                        }
                      });
}

void KernelProduct::add_product(const SparseVector& change, Vector& w) {
  entries_.clear();
  for (std::size_t k = 0; k < change.index.size(); ++k) {
    const std::int64_t j = change.index[k];
    if (j >= layout_.linear_from()) {
      w[static_cast<std::size_t>(j)] += change.value[k];
    } else {
      const std::int64_t block = j / layout_.training_count();
      entries_.push_back({static_cast<std::int32_t>(j - block * layout_.training_count()), block,
                          change.value[k]});
    }
  }
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& x, const Entry& y) { return x.atom < y.atom; });
  const std::size_t most = std::min(rows_at_a_time, rows_.max_loaded());
  for (std::size_t begin = 0; begin < entries_.size();) {
    atoms_.clear();
    std::size_t end = begin;
    for (; end < entries_.size(); ++end) {
      if (!atoms_.empty() && atoms_.back() == entries_[end].atom) continue;
      if (atoms_.size() == most) break;
      atoms_.push_back(entries_[end].atom);
    }
    rows_.load(atoms_);
    add_rows(std::span(entries_).subspan(begin, end - begin), w);
    begin = end;
  }
}

// Adds the rows of these entries, which are in memory. Many of them on all threads: each thread has
// scores of its own, so every sum has the order of the entries.
void KernelProduct::add_rows(std::span<const Entry> entries, Vector& w) {
  const auto add_part = [&](std::size_t begin, std::size_t end) {
    for (const Entry& entry : entries) {
      double* const scores = w.data() + static_cast<std::size_t>(entry.block) * count_;
      add_row(rows_.row(entry.atom) + begin, end - begin, entry.value, scores + begin);
    }
  };
  constexpr std::size_t min_work = std::size_t{1} << 19;
  const std::size_t tasks = (count_ + scores_per_task - 1) / scores_per_task;
  if (entries.size() * count_ < min_work || tasks < 2) return add_part(0, count_);
  workers_.run(static_cast<std::int64_t>(tasks), [&](std::int64_t task, int) {
    const std::size_t begin = static_cast<std::size_t>(task) * scores_per_task;
    add_part(begin, std::min(begin + scores_per_task, count_));
  });
}

void KernelProduct::add_product(const Vector& change, Vector& w) {
  add_product(entries_of(change), w);
}

void KernelProduct::multiply_exactly(const Vector& v, Vector& w) {
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
    add_row(matrix + (j - first) * size, size, value, zeros.data() + first);
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
