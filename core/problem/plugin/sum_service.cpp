#include "problem/plugin/sum_service.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace sculpt::core {
namespace {

// Most numbers of psi are 0, so blocks of this many are tested at once.
constexpr std::int64_t block_size = 8;

// True if a number of psi[block_size] is not 0. The shift removes the sign, so that -0 is 0.
bool has_nonzero(const double* psi) {
  std::uint64_t bits = 0;
  for (std::int64_t j = 0; j < block_size; ++j) bits |= std::bit_cast<std::uint64_t>(psi[j]);
  return bits << 1 != 0;
}

// Appends the numbers of psi[begin, end) that are not 0 to a list with room for all of them. It
// writes each, and keeps its place only if it is not 0: a branch would be guessed wrong often.
void append(sculpt_accumulator& sum, double scale, const double* psi, std::int64_t begin,
            std::int64_t end) {
  std::int32_t* index = sum.index + sum.size;
  double* value = sum.value + sum.size;
  std::int64_t count = 0;
  for (std::int64_t j = begin; j < end; ++j) {
    const double one = psi[j];
    index[count] = static_cast<std::int32_t>(j);
    value[count] = scale * one;
    count += one != 0 ? 1 : 0;
  }
  sum.size += count;
}

// The same to any sum.
sculpt_status add_each(sculpt_accumulator& sum, double scale, const double* psi, std::int64_t begin,
                       std::int64_t end) {
  for (std::int64_t j = begin; j < end; ++j) {
    if (psi[j] == 0) continue;
    const sculpt_status status = sculpt_add(&sum, static_cast<std::int32_t>(j), scale * psi[j]);
    if (status != SCULPT_OK) return status;
  }
  return SCULPT_OK;
}

sculpt_status add_dense(sculpt_accumulator* sum, double scale, const double* psi) noexcept {
  for (std::int64_t begin = 0; begin < sum->dimension; begin += block_size) {
    const std::int64_t end = std::min(begin + block_size, sum->dimension);
    if (end - begin == block_size && !has_nonzero(psi + begin)) continue;
    if (sum->dense == nullptr && sum->capacity - sum->size >= block_size) {
      append(*sum, scale, psi, begin, end);
      continue;
    }
    const sculpt_status status = add_each(*sum, scale, psi, begin, end);
    if (status != SCULPT_OK) return status;
  }
  return SCULPT_OK;
}

constexpr sculpt_host_sum sum_functions = {add_dense};

}  // namespace

const sculpt_host_sum& sum_service() {
  return sum_functions;
}

}  // namespace sculpt::core
