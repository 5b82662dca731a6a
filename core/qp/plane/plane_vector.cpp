#include "qp/plane/plane_vector.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "linalg/products.hpp"
#include "qp/plane/few_columns.hpp"

namespace sculpt::core {
namespace {

// The value and the end of a run take 12 bytes, as much as 6 entries with short indices. 8 keeps a
// margin.
constexpr std::size_t entries_per_run = 8;
constexpr std::size_t max_runs = 1000;

bool is_exact_as_float(double value) {
  return std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max()) &&
         static_cast<double>(static_cast<float>(value)) == value;
}

bool is_mostly_zero(const Vector& a) {
  if (a.size() < large_dimension) return false;
  const auto zeros = static_cast<std::size_t>(std::count(a.begin(), a.end(), 0.0));
  return are_few_columns(a.size() - zeros, a.size());
}

template <class Index>
bool is_increasing(std::span<const Index> index) {
  return std::adjacent_find(index.begin(), index.end(), std::greater_equal<>()) == index.end();
}

template <class Index, class Value>
bool is_increasing(const SparseView<Index, Value>& a) {
  return is_increasing(a.index);
}

// Requires valid ends of the runs.
template <class Index>
bool is_increasing(const RunsView<Index>& a) {
  std::size_t begin = 0;
  for (std::size_t run = 0; run < a.value.size(); ++run) {
    if (!is_increasing(a.index.subspan(begin, a.end[run] - begin))) return false;
    begin = a.end[run];
  }
  return true;
}

template <class Indices, class Value>
bool is_increasing(const ClassDifferenceView<Indices, Value>& a) {
  if constexpr (std::is_same_v<Indices, StridedIndices>) {
    return true;
  } else {
    return a.input.index.empty() || (a.input.index[0] == 0 && is_increasing(a.input.index));
  }
}

// The distinct values, in the order in which they were added.
class DistinctValues {
 public:
  // Returns true if the value is new.
  bool add(double value) {
    if (values_.size() < max_linear_search) {
      if (std::find(values_.begin(), values_.end(), value) != values_.end()) return false;
    } else {
      if (ascending_.empty()) {
        ascending_ = values_;
        std::sort(ascending_.begin(), ascending_.end());
      }
      const auto position = std::lower_bound(ascending_.begin(), ascending_.end(), value);
      if (position != ascending_.end() && *position == value) return false;
      ascending_.insert(position, value);
    }
    values_.push_back(value);
    return true;
  }
  std::size_t size() const { return values_.size(); }
  std::vector<double> release() { return std::move(values_); }

 private:
  static constexpr std::size_t max_linear_search = 16;  // below this number a linear search is used

  std::vector<double> values_;
  std::vector<double> ascending_;  // the same, sorted; empty below max_linear_search values
};

// Each value of `a` once, in the order of the entries. Empty if there are too many for runs.
std::vector<double> values_of_runs(const SparseVector& a) {
  const std::size_t max_count = std::min(max_runs, a.value.size() / entries_per_run);
  DistinctValues values;
  for (const double value : a.value) {
    if (values.add(value) && values.size() > max_count) return {};
  }
  return values.release();
}

// Splits a class difference into its input vector and a shift: each entry a_j = v of `input` has
// its opposite a_(j + shift) = -v. Returns the shift, or 0 and no entries if `a` has no such form.
// The features of a class lie together, or the classes of a feature do. So an entry and its
// opposite are half of the entries apart, or adjacent.
std::int32_t split_class_difference(const SparseVector& a, SparseVector& input) {
  input.index.clear();
  input.value.clear();
  const std::size_t size = a.index.size() / 2;
  if (size == 0 || a.index.size() != 2 * size) return 0;
  for (const std::size_t distance : {size, std::size_t{1}}) {
    const std::int32_t shift = a.index[distance] - a.index[0];
    const std::size_t step = distance == 1 ? 2 : 1;
    const auto is_opposite = [&](std::size_t k) {
      return a.index[k + distance] - a.index[k] == shift && a.value[k + distance] == -a.value[k];
    };
    std::size_t k = 0;
    while (k < step * size && is_opposite(k)) k += step;
    if (k < step * size) continue;
    for (k = 0; k < step * size; k += step) {
      input.index.push_back(a.index[k]);
      input.value.push_back(a.value[k]);
    }
    return shift;
  }
  return 0;
}

// The common stride of increasing indices; 1 for a single index.
std::uint32_t common_stride(const std::vector<std::int32_t>& index) {
  std::int32_t stride = 0;
  for (const std::int32_t j : index) stride = std::gcd(stride, j - index.front());
  return static_cast<std::uint32_t>(std::max(1, stride));
}

// Moves the input vector so that it begins at 0 with a value above 0. All class differences of one
// input then have the same input vector. Returns the offsets where it is added and subtracted.
std::pair<std::int32_t, std::int32_t> normalize(SparseVector& input, std::int32_t shift) {
  const std::int32_t first = input.index.front();
  for (std::int32_t& j : input.index) j -= first;
  if (input.value.front() > 0) return {first, first + shift};
  for (double& value : input.value) value = -value;
  return {first + shift, first};
}

bool are_all_floats(const SparseVector& a) {
  return std::all_of(a.value.begin(), a.value.end(), is_exact_as_float);
}

}  // namespace

PlaneVector::PlaneVector(Values values, Indices indices, std::size_t count, std::size_t runs)
    : count_(static_cast<std::uint32_t>(count)),
      runs_(static_cast<std::uint16_t>(runs)),
      values_(values),
      indices_(indices) {
  data_ = std::make_shared_for_overwrite<std::byte[]>(bytes());
}

PlaneVector::PlaneVector(const SparseVector& a) {
  if (a.index.empty()) return;
  const bool has_short_indices = a.index.back() <= std::numeric_limits<std::uint16_t>::max();
  const std::vector<double> runs = values_of_runs(a);
  if (runs.empty()) {
    SparseVector input;
    const std::int32_t shift = split_class_difference(a, input);
    if (shift > 0) {
      const auto [plus, minus] = normalize(input, shift);
      *this = class_difference(input, plus, minus);
      return;
    }
  }
  const Values values = !runs.empty()       ? Values::runs
                        : are_all_floats(a) ? Values::floats
                                            : Values::doubles;
  *this = PlaneVector(values, has_short_indices ? Indices::shorts : Indices::ints, a.index.size(),
                      runs.size());
  if (has_short_indices) {
    write_entries<std::uint16_t>(a, runs);
  } else {
    write_entries<std::int32_t>(a, runs);
  }
}

// Also stores zeros between the entries if that takes less memory than their indices.
PlaneVector PlaneVector::class_difference(const SparseVector& input, std::int32_t plus,
                                          std::int32_t minus) {
  const bool fits_floats = are_all_floats(input);
  const std::size_t count = input.index.size();
  const bool has_short_indices = input.index.back() <= std::numeric_limits<std::uint16_t>::max();
  const std::size_t value_bytes = fits_floats ? sizeof(float) : sizeof(double);
  const std::size_t index_bytes = has_short_indices ? sizeof(std::uint16_t) : sizeof(std::int32_t);
  const std::uint32_t stride = common_stride(input.index);
  const std::size_t positions = static_cast<std::size_t>(input.index.back()) / stride + 1;
  const bool is_strided =
      positions * value_bytes + sizeof(std::uint32_t) <= count * (value_bytes + index_bytes);
  PlaneVector plane(fits_floats ? Values::difference_floats : Values::difference_doubles,
                    is_strided          ? Indices::strided
                    : has_short_indices ? Indices::shorts
                                        : Indices::ints,
                    2 * (is_strided ? positions : count), 0);
  plane.plus_ = plus;
  plane.minus_ = minus;
  if (fits_floats) {
    plane.write_input<float>(input, stride);
  } else {
    plane.write_input<double>(input, stride);
  }
  return plane;
}

template <class Value>
void PlaneVector::write_input(const SparseVector& input, std::uint32_t stride) {
  const std::size_t count = input.index.size();
  Value* value = array_at<Value>(0);
  if (indices_ == Indices::strided) {
    *array_at<std::uint32_t>(index_offset()) = stride;
    std::fill_n(value, stored_count(), Value{0});
    for (std::size_t k = 0; k < count; ++k) {
      value[static_cast<std::uint32_t>(input.index[k]) / stride] =
          static_cast<Value>(input.value[k]);
    }
    return;
  }
  for (std::size_t k = 0; k < count; ++k) {
    value[k] = static_cast<Value>(input.value[k]);
    if (indices_ == Indices::shorts) {
      array_at<std::uint16_t>(index_offset())[k] = static_cast<std::uint16_t>(input.index[k]);
    } else {
      array_at<std::int32_t>(index_offset())[k] = input.index[k];
    }
  }
}

PlaneVector::PlaneVector(const Vector& a) {
  if (is_mostly_zero(a)) {
    *this = PlaneVector(entries_of(a));
    return;
  }
  *this = PlaneVector(Values::dense, Indices::shorts, a.size(), 0);
  std::copy(a.begin(), a.end(), array_at<double>(0));
}

template <class Index>
void PlaneVector::write_entries(const SparseVector& a, std::span<const double> values_of_runs) {
  Index* index = array_at<Index>(index_offset());
  if (values_ == Values::runs) {
    std::copy(values_of_runs.begin(), values_of_runs.end(), array_at<double>(0));
    auto* end = array_at<std::uint32_t>(runs_ * sizeof(double));
    std::uint32_t filled = 0;
    for (const double value : values_of_runs) {
      for (std::size_t k = 0; k < a.index.size(); ++k) {
        if (a.value[k] == value) index[filled++] = static_cast<Index>(a.index[k]);
      }
      *end++ = filled;
    }
    return;
  }
  std::transform(a.index.begin(), a.index.end(), index,
                 [](std::int32_t j) { return static_cast<Index>(j); });
  if (values_ == Values::floats) {
    std::transform(a.value.begin(), a.value.end(), array_at<float>(0),
                   [](double value) { return static_cast<float>(value); });
  } else {
    std::copy(a.value.begin(), a.value.end(), array_at<double>(0));
  }
}

void PlaneVector::share_input(const PlaneVector& other) {
  const bool same_form = is_class_difference() && values_ == other.values_ &&
                         indices_ == other.indices_ && count_ == other.count_;
  if (same_form && std::memcmp(data_.get(), other.data_.get(), bytes()) == 0) data_ = other.data_;
}

void PlaneVector::move_to(std::pmr::memory_resource& memory) {
  if (data_ == nullptr) return;
  auto data = std::allocate_shared_for_overwrite<std::byte[]>(
      std::pmr::polymorphic_allocator<std::byte>(&memory), bytes());
  std::memcpy(data.get(), data_.get(), bytes());
  data_ = std::move(data);
}

std::size_t PlaneVector::index_offset() const {
  if (values_ == Values::runs) return runs_ * (sizeof(double) + sizeof(std::uint32_t));
  return stored_count() * (has_floats() ? sizeof(float) : sizeof(double));
}

std::size_t PlaneVector::bytes() const {
  if (values_ == Values::dense) return index_offset();
  if (indices_ == Indices::strided) return index_offset() + sizeof(std::uint32_t);
  const bool is_short = indices_ == Indices::shorts;
  const std::size_t index_bytes = is_short ? sizeof(std::uint16_t) : sizeof(std::int32_t);
  return index_offset() + stored_count() * index_bytes;
}

double PlaneVector::dot(const Vector& x) const {
  return visit([&x](const auto& a) { return core::dot(a, x); });
}

void PlaneVector::add_to(double scale, Vector& x) const {
  visit([&](const auto& a) { axpy(scale, a, x); });
}

double PlaneVector::input_dot(const double* x) const {
  return visit_input([x](const auto& input) { return core::dot(input, x); });
}

void PlaneVector::add_input_to(double scale, double* x) const {
  visit_input([=](const auto& input) { axpy(scale, input, x); });
}

void PlaneVector::scatter(Vector& zeros) const {
  add_to(1, zeros);
}

void PlaneVector::unscatter(Vector& scattered) const {
  for_each_index([&scattered](std::size_t j) { scattered[j] = 0; });
}

void PlaneVector::save(StateWriter& out) const {
  out.put(static_cast<std::uint8_t>(values_));
  out.put(static_cast<std::uint8_t>(indices_));
  out.put(std::uint32_t{count_});
  out.put(runs_);
  if (is_class_difference()) {
    out.put(plus_);
    out.put(minus_);
  }
  out.write({reinterpret_cast<const char*>(data_.get()), bytes()});
}

PlaneVector PlaneVector::load(StateReader& in, std::size_t dimension) {
  const auto values = in.get<std::uint8_t>();
  const auto indices = in.get<std::uint8_t>();
  in.require(values <= static_cast<std::uint8_t>(Values::difference_doubles) &&
                 indices <= static_cast<std::uint8_t>(Indices::strided),
             "a plane of an unknown form");
  const auto count = in.get<std::uint32_t>();
  const auto runs = in.get<std::uint16_t>();
  in.require(count <= dimension, "a plane with more entries than weights");
  in.require(runs <= count / entries_per_run, "a plane with more runs than entries");
  PlaneVector plane;
  plane.count_ = count;
  plane.runs_ = runs;
  plane.values_ = static_cast<Values>(values);
  plane.indices_ = static_cast<Indices>(indices);
  in.require(plane.indices_ != Indices::strided || plane.is_class_difference(),
             "a plane of an unknown form");
  if (plane.is_class_difference()) {
    in.require(count % 2 == 0, "a class difference with an odd number of entries");
    plane.plus_ = in.get<std::int32_t>();
    plane.minus_ = in.get<std::int32_t>();
    in.require(plane.plus_ >= 0 && plane.minus_ >= 0 && plane.plus_ != plane.minus_,
               "offsets of a class difference that are negative or equal");
  }
  in.require(plane.bytes() <= in.bytes_left(), "a plane that is longer than the rest of the state");
  plane.data_ = std::make_shared_for_overwrite<std::byte[]>(plane.bytes());
  in.read(reinterpret_cast<char*>(plane.data_.get()), plane.bytes());
  plane.require_valid(in, dimension);
  return plane;
}

void PlaneVector::require_valid(const StateReader& in, std::size_t dimension) const {
  if (values_ == Values::runs) require_runs(in);
  visit([&](const auto& a) {
    if constexpr (
        requires { a.index; } || requires { a.input; }) {
      in.require(is_increasing(a), "indices that do not increase");
    } else {
      in.require(a.size() == dimension, "a plane of another dimension");
    }
  });
  in.require(indices_ != Indices::strided || *array_at<std::uint32_t>(index_offset()) > 0,
             "indices that do not increase");
  for_each_index([&](std::size_t j) { in.require(j < dimension, "an index beyond the weights"); });
  const auto finite = [](auto value) { return std::isfinite(value); };
  const std::size_t values = values_ == Values::runs ? runs_ : stored_count();
  const bool is_finite =
      has_floats() ? std::all_of(array_at<float>(0), array_at<float>(0) + values, finite)
                   : std::all_of(array_at<double>(0), array_at<double>(0) + values, finite);
  in.require(is_finite, "a plane that is not finite");
}

void PlaneVector::require_runs(const StateReader& in) const {
  const std::span<const std::uint32_t> end{array_at<std::uint32_t>(runs_ * sizeof(double)),
                                           std::size_t{runs_}};
  in.require(std::is_sorted(end.begin(), end.end()), "runs that are not in order");
  in.require((end.empty() ? 0 : end.back()) == count_, "runs of another number of entries");
}

}  // namespace sculpt::core
