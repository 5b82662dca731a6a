#include "row_bytes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace kernel {

static_assert(std::endian::native == std::endian::little,
              "models are little-endian; this machine needs byte swaps here");

namespace {

constexpr char is_dense = 1;
constexpr char has_floats = 2;

template <class Number>
void append(const std::vector<Number>& numbers, sculpt::ByteOutput& out) {
  if (!numbers.empty()) out.append(numbers.data(), numbers.size() * sizeof(Number));
}

template <class Number>
std::vector<Number> numbers_in(std::string_view bytes) {
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
  return numbers;
}

std::vector<double> values_in(std::string_view bytes, bool floats) {
  if (!floats) return numbers_in<double>(bytes);
  const std::vector<float> narrow = numbers_in<float>(bytes);
  return {narrow.begin(), narrow.end()};
}

bool is_float(double value) {
  return std::abs(value) <= std::numeric_limits<float>::max() &&
         static_cast<double>(static_cast<float>(value)) == value;
}

// The rules of rows in models: indices increase from 0 on, values are finite and not 0.
bool is_row(const OwnRow& row) {
  for (std::size_t k = 0; k < row.index.size(); ++k) {
    if (row.index[k] < 0 || (k > 0 && row.index[k] <= row.index[k - 1])) return false;
    if (!std::isfinite(row.value[k]) || row.value[k] == 0) return false;
  }
  return true;
}

}  // namespace

void write_row(const sculpt::SiteRow& row, sculpt::ByteOutput& out) {
  OwnRow kept;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (row.value[k] == 0) continue;
    kept.index.push_back(row.index[k]);
    kept.value.push_back(row.value[k]);
  }
  const bool floats = std::all_of(kept.value.begin(), kept.value.end(), is_float);
  const std::size_t size = floats ? sizeof(float) : sizeof(double);
  const std::size_t width =
      kept.index.empty() ? 0 : static_cast<std::size_t>(kept.index.back()) + 1;
  const bool dense = width * size < kept.index.size() * (size + sizeof(std::int32_t));
  const char form = static_cast<char>((dense ? is_dense : 0) + (floats ? has_floats : 0));
  out.append(&form, 1);
  if (dense) {
    std::vector<double> cells(width, 0.0);
    for (std::size_t k = 0; k < kept.index.size(); ++k) {
      cells[static_cast<std::size_t>(kept.index[k])] = kept.value[k];
    }
    kept.value = std::move(cells);
  } else {
    append(kept.index, out);
  }
  if (floats) {
    std::vector<float> narrow;
    for (const double value : kept.value) narrow.push_back(static_cast<float>(value));
    append(narrow, out);
  } else {
    append(kept.value, out);
  }
}

std::optional<OwnRow> read_row(std::string_view bytes) {
  if (bytes.empty() || bytes[0] < 0 || bytes[0] > is_dense + has_floats) return std::nullopt;
  const bool dense = (bytes[0] & is_dense) != 0;
  const bool floats = (bytes[0] & has_floats) != 0;
  bytes.remove_prefix(1);
  const std::size_t size =
      (floats ? sizeof(float) : sizeof(double)) + (dense ? 0 : sizeof(std::int32_t));
  if (bytes.size() % size != 0) return std::nullopt;
  const std::size_t count = bytes.size() / size;
  OwnRow row;
  if (dense) {
    const std::vector<double> cells = values_in(bytes, floats);
    for (std::size_t j = 0; j < count; ++j) {
      if (cells[j] == 0) continue;
      row.index.push_back(static_cast<std::int32_t>(j));
      row.value.push_back(cells[j]);
    }
  } else {
    row.index = numbers_in<std::int32_t>(bytes.substr(0, count * sizeof(std::int32_t)));
    row.value = values_in(bytes.substr(count * sizeof(std::int32_t)), floats);
  }
  if (!is_row(row)) return std::nullopt;
  return row;
}

}  // namespace kernel
