#include "qp/plane_vector.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "linalg/products.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t entries_a_run = 8;  // the head of a run costs as much as so many entries
constexpr std::size_t most_runs = 1000;

bool survives_as_float(double value) {
  return std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max()) &&
         static_cast<double>(static_cast<float>(value)) == value;
}

template <class Index>
bool increases(std::span<const Index> index) {
  return std::adjacent_find(index.begin(), index.end(), std::greater_equal<>()) == index.end();
}

template <class Index, class Value>
bool increases(const SparseView<Index, Value>& a) {
  return increases(a.index);
}

// Requires sound ends of the runs.
template <class Index>
bool increases(const RunsView<Index>& a) {
  std::size_t begin = 0;
  for (std::size_t run = 0; run < a.value.size(); ++run) {
    if (!increases(a.index.subspan(begin, a.end[run] - begin))) return false;
    begin = a.end[run];
  }
  return true;
}

// Each value of `a` once, in the order they are met in; empty when they are too many for runs.
std::vector<double> values_of_runs(const SparseVector& a) {
  std::vector<double> values;
  for (const double value : a.value) {
    if (std::find(values.begin(), values.end(), value) != values.end()) continue;
    values.push_back(value);
    if (values.size() > std::min(most_runs, a.value.size() / entries_a_run)) return {};
  }
  return values;
}

}  // namespace

PlaneVector::PlaneVector(Values values, bool is_short, std::size_t count, std::size_t runs)
    : count_(static_cast<std::uint32_t>(count)),
      runs_(static_cast<std::uint16_t>(runs)),
      values_(values),
      short_(is_short) {
  data_ = std::make_unique_for_overwrite<std::byte[]>(bytes());
}

PlaneVector::PlaneVector(const SparseVector& a) {
  if (a.index.empty()) return;
  const bool near = a.index.back() <= std::numeric_limits<std::uint16_t>::max();
  const std::vector<double> runs = values_of_runs(a);
  const bool floats = std::all_of(a.value.begin(), a.value.end(), survives_as_float);
  const Values values = !runs.empty() ? Values::runs : floats ? Values::floats : Values::doubles;
  *this = PlaneVector(values, near, a.index.size(), runs.size());
  if (near) {
    fill<std::uint16_t>(a, runs);
  } else {
    fill<std::int32_t>(a, runs);
  }
}

PlaneVector::PlaneVector(const Vector& a) : PlaneVector(Values::dense, true, a.size(), 0) {
  std::copy(a.begin(), a.end(), numbers<double>(0));
}

template <class Index>
void PlaneVector::fill(const SparseVector& a, std::span<const double> values_of_runs) {
  Index* index = numbers<Index>(index_at());
  if (values_ == Values::runs) {
    std::copy(values_of_runs.begin(), values_of_runs.end(), numbers<double>(0));
    auto* end = numbers<std::uint32_t>(runs_ * sizeof(double));
    std::uint32_t placed = 0;
    for (const double value : values_of_runs) {
      for (std::size_t k = 0; k < a.index.size(); ++k) {
        if (a.value[k] == value) index[placed++] = static_cast<Index>(a.index[k]);
      }
      *end++ = placed;
    }
    return;
  }
  std::transform(a.index.begin(), a.index.end(), index,
                 [](std::int32_t j) { return static_cast<Index>(j); });
  if (values_ == Values::floats) {
    std::transform(a.value.begin(), a.value.end(), numbers<float>(0),
                   [](double value) { return static_cast<float>(value); });
  } else {
    std::copy(a.value.begin(), a.value.end(), numbers<double>(0));
  }
}

std::size_t PlaneVector::index_at() const {
  switch (values_) {
    case Values::runs:
      return runs_ * (sizeof(double) + sizeof(std::uint32_t));
    case Values::floats:
      return count_ * sizeof(float);
    case Values::doubles:
    case Values::dense:
      break;
  }
  return count_ * sizeof(double);
}

std::size_t PlaneVector::bytes() const {
  if (values_ == Values::dense) return index_at();
  return index_at() + count_ * (short_ ? sizeof(std::uint16_t) : sizeof(std::int32_t));
}

double PlaneVector::dot(const Vector& x) const {
  return visit([&x](const auto& a) { return core::dot(a, x); });
}

void PlaneVector::add_to(double scale, Vector& x) const {
  visit([&](const auto& a) { axpy(scale, a, x); });
}

void PlaneVector::scatter(Vector& zeros) const {
  add_to(1, zeros);
}

void PlaneVector::unscatter(Vector& scattered) const {
  for_each_index([&scattered](std::size_t j) { scattered[j] = 0; });
}

void PlaneVector::save(StateWriter& out) const {
  out.put(static_cast<std::uint8_t>(values_));
  out.put(short_);
  out.put(std::uint32_t{count_});
  out.put(runs_);
  out.write({reinterpret_cast<const char*>(data_.get()), bytes()});
}

PlaneVector PlaneVector::load(StateReader& in, std::size_t dimension) {
  const auto values = in.get<std::uint8_t>();
  in.require(values <= static_cast<std::uint8_t>(Values::dense),
             "a plane of a form that is not known");
  const bool is_short = in.get_flag();
  const auto count = in.get<std::uint32_t>();
  const auto runs = in.get<std::uint16_t>();
  in.require(count <= dimension, "a plane with more entries than weights");
  in.require(runs <= count / entries_a_run, "a plane with more runs than entries");
  PlaneVector made;
  made.count_ = count;
  made.runs_ = runs;
  made.values_ = static_cast<Values>(values);
  made.short_ = is_short;
  in.require(made.bytes() <= in.left(), "a plane that is longer than what is left");
  made.data_ = std::make_unique_for_overwrite<std::byte[]>(made.bytes());
  in.read(reinterpret_cast<char*>(made.data_.get()), made.bytes());
  made.require_sound(in, dimension);
  return made;
}

void PlaneVector::require_sound(const StateReader& in, std::size_t dimension) const {
  if (values_ == Values::runs) require_runs(in);
  visit([&](const auto& a) {
    if constexpr (requires { a.index; }) {
      in.require(increases(a), "indices that do not increase");
      for (const auto j : a.index) {
        in.require(j >= 0 && static_cast<std::size_t>(j) < dimension,
                   "an index beyond the weights");
      }
    } else {
      in.require(a.size() == dimension, "a plane of another dimension");
    }
  });
  const auto finite = [](auto value) { return std::isfinite(value); };
  const std::size_t values = values_ == Values::runs ? runs_ : count_;
  const bool sound = values_ == Values::floats
                         ? std::all_of(numbers<float>(0), numbers<float>(0) + values, finite)
                         : std::all_of(numbers<double>(0), numbers<double>(0) + values, finite);
  in.require(sound, "a vector that is not finite");
}

void PlaneVector::require_runs(const StateReader& in) const {
  const std::span<const std::uint32_t> end{numbers<std::uint32_t>(runs_ * sizeof(double)),
                                           std::size_t{runs_}};
  in.require(std::is_sorted(end.begin(), end.end()), "runs that do not follow each other");
  in.require((end.empty() ? 0 : end.back()) == count_, "runs of another number of entries");
}

}  // namespace sculpt::core
