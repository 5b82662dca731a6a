#include "symbols.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace kernel {

static_assert(std::endian::native == std::endian::little,
              "models are little-endian; this machine needs byte swaps here");

namespace {

using Limits = std::numeric_limits<std::int32_t>;

template <class Number>
bool fit(const Symbols& symbols) {
  return std::all_of(symbols.begin(), symbols.end(), [](std::int32_t symbol) {
    return symbol >= std::numeric_limits<Number>::min() &&
           symbol <= std::numeric_limits<Number>::max();
  });
}

template <class Number>
void write_as(const Symbols& symbols, sculpt::ByteOutput& out) {
  const char size = sizeof(Number);
  out.append(&size, 1);
  std::vector<Number> numbers;
  for (const std::int32_t symbol : symbols) numbers.push_back(static_cast<Number>(symbol));
  if (!numbers.empty()) out.append(numbers.data(), numbers.size() * sizeof(Number));
}

template <class Number>
std::optional<Symbols> read_as(std::string_view bytes) {
  if (bytes.size() % sizeof(Number) != 0) return std::nullopt;
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  if (std::find(numbers.begin(), numbers.end(), Number{0}) != numbers.end()) return std::nullopt;
  return Symbols(numbers.begin(), numbers.end());
}

// The number as the data write it, for messages: "2.5".
std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

}  // namespace

std::vector<Symbols> sequences_of(const sculpt::SiteAtoms& atoms) {
  std::vector<Symbols> sequences;
  for (std::int64_t a = 0; a < atoms.count(); ++a) {
    Symbols& symbols = sequences.emplace_back();
    for (const double value : atoms.row(a).value) {
      if (value == 0) continue;
      if (value != std::floor(value) || value < Limits::min() || value > Limits::max()) {
        throw sculpt::data_error(
            atoms.place(a) + ": the value " + text_of(value) +
            " is no symbol; write symbols as whole numbers from -2147483648 to 2147483647, and "
            "set no `scaling` of the dataset");
      }
      symbols.push_back(static_cast<std::int32_t>(value));
    }
  }
  return sequences;
}

void write_symbols(const Symbols& symbols, sculpt::ByteOutput& out) {
  if (fit<std::int8_t>(symbols)) {
    write_as<std::int8_t>(symbols, out);
  } else if (fit<std::int16_t>(symbols)) {
    write_as<std::int16_t>(symbols, out);
  } else {
    write_as<std::int32_t>(symbols, out);
  }
}

std::optional<Symbols> read_symbols(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  const std::string_view rest = bytes.substr(1);
  switch (bytes[0]) {
    case 1:
      return read_as<std::int8_t>(rest);
    case 2:
      return read_as<std::int16_t>(rest);
    case 4:
      return read_as<std::int32_t>(rest);
    default:
      return std::nullopt;
  }
}

}  // namespace kernel
