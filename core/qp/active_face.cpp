#include "qp/active_face.hpp"

#include <algorithm>

#include "qp/plane/plane_products.hpp"

namespace sculpt::core {
namespace {

// A sum over many planes is cut into this many chunks if the entries of the planes far outnumber
// the entries of the extra vectors.
constexpr std::size_t max_chunks = 4;
constexpr double entries_per_weight = 4;

}  // namespace

void ActiveFace::collect() {
  variables_.clear();
  block_ends_.clear();
  entries_ = 0;
  for (std::int64_t index = 0; index < working_set_.block_count(); ++index) {
    collect_block(working_set_.block(index));
  }
}

void ActiveFace::collect_block(Block& block) {
  const bool is_simplex = working_set_.slack_term().is_linear();
  const std::size_t begin = variables_.size();
  for (std::size_t p = is_simplex ? 0 : 1; p < block.size(); ++p) {
    if (block.alpha[p] == 0) continue;
    variables_.push_back({&block.a[p], block.b[p], block.gram[p][p], &block.alpha[p]});
  }
  if (variables_.size() - begin < (is_simplex ? 2 : 1)) {
    variables_.resize(begin);
    return;
  }
  block_ends_.push_back(variables_.size());
  for (std::size_t k = begin; k < variables_.size(); ++k) {
    entries_ += static_cast<double>(variables_[k].a->entry_count());
  }
}

void ActiveFace::multiply(const Vector& x, std::vector<double>& out) const {
  out.resize(variables_.size());
  const auto multiply_range = [&](std::size_t begin, std::size_t end) {
    PlaneProducts product(x);
    for (std::size_t k = begin; k < end; ++k) {
      if (k + 1 < end) variables_[k + 1].a->prefetch();
      out[k] = product(*variables_[k].a);
    }
  };
  const auto tasks = static_cast<std::size_t>(entries_ / entries_per_task);
  if (workers_ == nullptr || tasks < 2) return multiply_range(0, out.size());
  workers_->run(static_cast<std::int64_t>(tasks), [&](std::int64_t task, int) {
    const auto number = static_cast<std::size_t>(task);
    multiply_range(out.size() * number / tasks, out.size() * (number + 1) / tasks);
  });
}

// The number of chunks of a sum. It depends on the planes and the dimension only, so sums do not
// depend on the number of threads.
std::size_t ActiveFace::chunk_count(std::size_t dimension) const {
  const double min_chunk_entries =
      std::max(entries_per_weight * static_cast<double>(dimension), entries_per_task);
  return entries_ >= static_cast<double>(max_chunks) * min_chunk_entries ? max_chunks : 1;
}

void ActiveFace::sum(const std::vector<double>& x, Vector& out) {
  const std::size_t chunks = chunk_count(out.size());
  const auto sum_chunk = [&](std::size_t chunk, Vector& into) {
    if (into.size() == out.size()) {
      working_set_.columns().clear(into);
    } else {
      into.assign(out.size(), 0.0);
    }
    const std::size_t end = x.size() * (chunk + 1) / chunks;
    PlaneSums sum(into);
    for (std::size_t k = x.size() * chunk / chunks; k < end; ++k) {
      if (k + 1 < end) variables_[k + 1].a->prefetch();
      if (x[k] != 0) sum.add(x[k], *variables_[k].a);
    }
    sum.finish();
  };
  if (chunks == 1) return sum_chunk(0, out);
  // Sorts the list before tasks read it.
  if (working_set_.columns().has_few()) working_set_.columns().list();
  partial_sums_.resize(chunks);
  const auto task = [&](std::int64_t chunk) {
    const auto number = static_cast<std::size_t>(chunk);
    sum_chunk(number, partial_sums_[number]);
  };
  if (workers_ == nullptr) {
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) task(static_cast<std::int64_t>(chunk));
  } else {
    workers_->run(static_cast<std::int64_t>(chunks), [&](std::int64_t chunk, int) { task(chunk); });
  }
  for (std::size_t j = 0; j < out.size(); ++j) {
    double sum = 0;
    for (const Vector& part : partial_sums_) sum += part[j];
    out[j] = sum;
  }
}

}  // namespace sculpt::core
