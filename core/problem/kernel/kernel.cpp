#include "problem/kernel/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "problem/plugin/answer_buffers.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {
namespace {

// a / sqrt(b c). A kernel that is not positive may have b or c below 0.
double normalized(double value, double own, double other) {
  const double product = own * other;
  return own > 0 && other > 0 ? value / std::sqrt(product) : 0;
}

}  // namespace

ComponentKernel::ComponentKernel(Component& component, int threads)
    : component_(component),
      api_(component.api<sculpt_kernel_api>()),
      sessions_(component, threads) {
  std::uint32_t claims = 0;
  component.call("claims", -1, [&](sculpt_error* error) {
    return api_.claims(component_.self(), &claims, error);
  });
  is_positive_ = (claims & SCULPT_KERNEL_POSITIVE) != 0;
}

void ComponentKernel::require_finite(std::span<const double> values,
                                     std::span<const std::int64_t> atoms) const {
  const auto wrong = std::find_if(values.begin(), values.end(),
                                  [](double value) { return !std::isfinite(value); });
  if (wrong == values.end()) return;
  const auto row =
      static_cast<std::size_t>(wrong - values.begin()) / (values.size() / atoms.size());
  throw NotFinite(component_.name() + ": a value of row " + std::to_string(atoms[row]) +
                  " of the data is not finite; scale the rows, or change the parameters of the "
                  "kernel");
}

// Calls ask(atoms, out, error), a function of the component, and checks the values.
template <class Ask>
void ComponentKernel::fill(const char* name, std::span<const std::int64_t> atoms,
                           std::span<double> out, Ask&& ask) {
  if (out.empty()) return;
  const LentArray<std::int64_t> lent(component_, "the atoms", atoms);
  const FilledArray<double> filled(component_, "the values of the kernel", out);
  component_.call(name, -1,
                  [&](sculpt_error* error) { return ask(lent.data(), filled.data(), error); });
  lent.require_unchanged(-1);
  filled.take();
  require_finite(out, atoms);
}

void ComponentKernel::rows(int worker, std::span<const std::int64_t> atoms,
                           std::span<const std::int64_t> others, std::span<double> out) {
  const LentArray<std::int64_t> lent(component_, "the other atoms", others);
  fill("rows", atoms, out, [&](const std::int64_t* first, double* to, sculpt_error* error) {
    return api_.rows(sessions_.for_worker(worker), first, std::ssize(atoms), lent.data(),
                     std::ssize(others), to, error);
  });
}

void ComponentKernel::diagonal(int worker, std::span<const std::int64_t> atoms,
                               std::span<double> out) {
  fill("diagonal", atoms, out, [&](const std::int64_t* first, double* to, sculpt_error* error) {
    return api_.diagonal(sessions_.for_worker(worker), first, std::ssize(atoms), to, error);
  });
}

void ComponentKernel::kept_rows(int worker, std::span<const std::int64_t> atoms, Range kept,
                                std::span<double> out) {
  fill("kept_rows", atoms, out, [&](const std::int64_t* first, double* to, sculpt_error* error) {
    return api_.kept_rows(sessions_.for_worker(worker), first, std::ssize(atoms), kept.begin,
                          kept.end, to, error);
  });
}

void ComponentKernel::store(std::span<const std::int64_t> atoms, std::vector<KeptAtoms>& out) {
  KeptAtoms& kept = out.emplace_back();
  ByteBuffer bytes;
  for (const std::int64_t atom : atoms) {
    bytes.clear();
    component_.call("write_atom", -1, [&](sculpt_error* error) {
      return api_.write_atom(component_.self(), atom, bytes.raw(), error);
    });
    kept.bytes += bytes.text_of(component_, -1);
    kept.from.push_back(static_cast<std::int64_t>(kept.bytes.size()));
  }
}

NormalizedKernel::NormalizedKernel(std::unique_ptr<Kernel> inner, const KeptAtoms* kept)
    : inner_(std::move(inner)) {
  if (kept == nullptr) return;
  kept_diagonal_.resize(static_cast<std::size_t>(kept->count()));
  if (kept->bytes.size() != kept_diagonal_.size() * sizeof(double)) {
    throw Failure(Exit::data, "the normalized kernel of the model is damaged; train again");
  }
  std::memcpy(kept_diagonal_.data(), kept->bytes.data(), kept->bytes.size());
}

std::vector<double> NormalizedKernel::diagonal_of(int worker, std::span<const std::int64_t> atoms) {
  std::vector<double> values(atoms.size());
  inner_->diagonal(worker, atoms, values);
  return values;
}

void NormalizedKernel::rows(int worker, std::span<const std::int64_t> atoms,
                            std::span<const std::int64_t> others, std::span<double> out) {
  inner_->rows(worker, atoms, others, out);
  const std::vector<double> own = diagonal_of(worker, atoms);
  const std::vector<double> other = diagonal_of(worker, others);
  double* value = out.data();
  for (const double first : own) {
    for (const double second : other) {
      *value = normalized(*value, first, second);
      ++value;
    }
  }
}

void NormalizedKernel::diagonal(int worker, std::span<const std::int64_t> atoms,
                                std::span<double> out) {
  inner_->diagonal(worker, atoms, out);
  for (double& value : out) value = normalized(value, value, value);
}

void NormalizedKernel::kept_rows(int worker, std::span<const std::int64_t> atoms, Range kept,
                                 std::span<double> out) {
  inner_->kept_rows(worker, atoms, kept, out);
  double* value = out.data();
  for (const double first : diagonal_of(worker, atoms)) {
    for (std::int64_t j = kept.begin; j < kept.end; ++j) {
      *value = normalized(*value, first, kept_diagonal_.at(static_cast<std::size_t>(j)));
      ++value;
    }
  }
}

void NormalizedKernel::store(std::span<const std::int64_t> atoms, std::vector<KeptAtoms>& out) {
  KeptAtoms& kept = out.emplace_back();
  for (const double value : diagonal_of(0, atoms)) {
    kept.bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    kept.from.push_back(static_cast<std::int64_t>(kept.bytes.size()));
  }
  inner_->store(atoms, out);
}

CombinedKernel::CombinedKernel(Rule rule, std::vector<std::unique_ptr<Kernel>> members,
                               std::vector<double> weights)
    : rule_(rule), members_(std::move(members)), weights_(std::move(weights)) {
  weights_.resize(members_.size(), 1.0);
}

std::string CombinedKernel::name() const {
  std::string names;
  for (const auto& member : members_) names += (names.empty() ? "" : ", ") + member->name();
  return names;
}

bool CombinedKernel::is_positive() const {
  return std::all_of(members_.begin(), members_.end(),
                     [](const auto& member) { return member->is_positive(); });
}

template <class Fill>
void CombinedKernel::combine(std::span<double> out, Fill&& fill) {
  std::vector<double> values(out.size());
  for (std::size_t m = 0; m < members_.size(); ++m) {
    fill(*members_[m], values);
    for (std::size_t k = 0; k < out.size(); ++k) {
      const double value = weights_[m] * values[k];
      out[k] = m == 0 ? value : rule_ == Rule::sum ? out[k] + value : out[k] * value;
    }
  }
}

void CombinedKernel::rows(int worker, std::span<const std::int64_t> atoms,
                          std::span<const std::int64_t> others, std::span<double> out) {
  combine(out, [&](Kernel& member, std::span<double> values) {
    member.rows(worker, atoms, others, values);
  });
}

void CombinedKernel::diagonal(int worker, std::span<const std::int64_t> atoms,
                              std::span<double> out) {
  combine(out, [&](Kernel& member, std::span<double> values) {
    member.diagonal(worker, atoms, values);
  });
}

void CombinedKernel::kept_rows(int worker, std::span<const std::int64_t> atoms, Range kept,
                               std::span<double> out) {
  combine(out, [&](Kernel& member, std::span<double> values) {
    member.kept_rows(worker, atoms, kept, values);
  });
}

void CombinedKernel::store(std::span<const std::int64_t> atoms, std::vector<KeptAtoms>& out) {
  for (const auto& member : members_) member->store(atoms, out);
}

}  // namespace sculpt::core
