#include "problem/kernel/explicit_map.hpp"

#include <sculpt/ext/draft/explicit_rows.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "problem/plugin/call_with_accumulator.hpp"
#include "problem/plugin/with_position.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_explicit_rows> {
  static constexpr const char* id = SCULPT_EXT_EXPLICIT_ROWS;
  static constexpr std::size_t required_functions = 3;
};

namespace {

const sculpt_ext_explicit_rows& table_of(const Component& component) {
  const auto* const table = component.extension<sculpt_ext_explicit_rows>();
  if (table != nullptr) return *table;
  component.refuse(Exit::config, -1,
                   "offers no explicit rows (" SCULPT_EXT_EXPLICIT_ROWS
                   "): phi has infinitely many columns, or too many; leave out \"explicit\", or "
                   "use linear or polynomial");
}

std::int64_t width_of(const Component& component, const sculpt_ext_explicit_rows& table) {
  std::int64_t width = 0;
  component.call("explicit-rows.width", -1,
                 [&](sculpt_error* error) { return table.width(component.self(), &width, error); });
  if (width >= 0 && width <= INT32_MAX) return width;
  component.refuse(Exit::plugin, -1,
                   "says that its explicit rows have " + std::to_string(width) +
                       " columns (" SCULPT_EXT_EXPLICIT_ROWS "); from 0 to 2147483647 are allowed");
}

class ComponentMap : public ExplicitMap {
 public:
  ComponentMap(const Component& component, int threads)
      : component_(component), table_(table_of(component)), width_(width_of(component, table_)) {
    for (int k = 0; k < threads; ++k) {
      sums_.push_back(std::make_unique<SparseAccumulator>(width_));
    }
  }
  std::int64_t width() const override { return width_; }
  void row(int worker, std::int64_t atom, SparseVector& out) const override {
    SparseAccumulator& sum = *sums_[static_cast<std::size_t>(worker)];
    call_with_accumulator(
        component_, "explicit-rows.row", -1, Exit::data, sum,
        [&](auto* raw, auto* error) { return table_.row(component_.self(), atom, raw, error); });
    sum.merge(out);
  }
  sculpt_status append_name(std::int64_t column, sculpt_byte_buffer* out,
                            sculpt_error* error) const override {
    return table_.name(component_.self(), column, out, error);
  }

 private:
  const Component& component_;
  const sculpt_ext_explicit_rows& table_;
  std::int64_t width_;
  std::vector<std::unique_ptr<SparseAccumulator>> sums_;  // [threads]
};

class NormalizedMap : public ExplicitMap {
 public:
  explicit NormalizedMap(std::unique_ptr<ExplicitMap> inner) : inner_(std::move(inner)) {}
  std::int64_t width() const override { return inner_->width(); }
  void row(int worker, std::int64_t atom, SparseVector& out) const override {
    inner_->row(worker, atom, out);
    double squared = 0;
    for (const double value : out.value) squared += value * value;
    if (squared == 0) return;
    const double norm = std::sqrt(squared);
    for (double& value : out.value) value /= norm;
  }
  sculpt_status append_name(std::int64_t column, sculpt_byte_buffer* out,
                            sculpt_error* error) const override {
    return inner_->append_name(column, out, error);
  }

 private:
  std::unique_ptr<ExplicitMap> inner_;
};

class SumMap : public ExplicitMap {
 public:
  SumMap(std::vector<std::unique_ptr<ExplicitMap>> members, const std::vector<double>& weights)
      : members_(std::move(members)) {
    for (std::size_t k = 0; k < members_.size(); ++k) {
      factor_.push_back(weights.empty() ? 1.0 : std::sqrt(weights[k]));
      from_.push_back(from_.back() + members_[k]->width());
    }
    if (from_.back() > INT32_MAX) {
      throw Failure(Exit::config, "the members of the sum have " + std::to_string(from_.back()) +
                                      " columns; with \"explicit\" the limit is 2147483647");
    }
  }
  std::int64_t width() const override { return from_.back(); }
  void row(int worker, std::int64_t atom, SparseVector& out) const override {
    SparseVector part;
    out.index.clear();
    out.value.clear();
    for (std::size_t m = 0; m < members_.size(); ++m) {
      members_[m]->row(worker, atom, part);
      for (std::size_t k = 0; k < part.index.size(); ++k) {
        out.index.push_back(static_cast<std::int32_t>(from_[m] + part.index[k]));
        out.value.push_back(factor_[m] * part.value[k]);
      }
    }
  }
  sculpt_status append_name(std::int64_t column, sculpt_byte_buffer* out,
                            sculpt_error* error) const override {
    std::size_t m = 0;
    while (m + 1 < members_.size() && column >= from_[m + 1]) ++m;
    const std::string prefix = "member " + std::to_string(m) + ": ";
    const sculpt_status status =
        sculpt_put(out, prefix.data(), static_cast<std::int64_t>(prefix.size()));
    if (status != SCULPT_OK) return status;
    return members_[m]->append_name(column - from_[m], out, error);
  }

 private:
  std::vector<std::unique_ptr<ExplicitMap>> members_;
  std::vector<double> factor_;
  std::vector<std::int64_t> from_ = {0};  // [members + 1] their first columns
};

std::unique_ptr<ExplicitMap> make_map(const KernelSpec& spec,
                                      const std::unique_ptr<Component>*& leaf, int threads) {
  std::unique_ptr<ExplicitMap> map;
  if (spec.rule == KernelRule::component) {
    const Component& component = **leaf++;
    with_position(*spec.component,
                  [&] { map = std::make_unique<ComponentMap>(component, threads); });
    return map;
  }
  std::vector<std::unique_ptr<ExplicitMap>> members;
  for (const KernelSpec& member : spec.members) members.push_back(make_map(member, leaf, threads));
  if (spec.rule == KernelRule::normalized) {
    return std::make_unique<NormalizedMap>(std::move(members.front()));
  }
  return std::make_unique<SumMap>(std::move(members), spec.weights);
}

}  // namespace

std::unique_ptr<ExplicitMap> make_component_map(const Component& component, int threads) {
  return std::make_unique<ComponentMap>(component, threads);
}

std::optional<std::int64_t> explicit_width(const Component& component) {
  const auto* const table = component.extension<sculpt_ext_explicit_rows>();
  if (table == nullptr) return std::nullopt;
  try {
    return width_of(component, *table);
  } catch (const Failure& failure) {
    if (failure.exit_code() != Exit::config) throw;
    return std::nullopt;
  }
}

std::unique_ptr<ExplicitMap> make_explicit_map(
    const KernelSpec& spec, std::span<const std::unique_ptr<Component>> components, int threads) {
  const std::unique_ptr<Component>* leaf = components.data();
  return make_map(spec, leaf, threads);
}

}  // namespace sculpt::core
