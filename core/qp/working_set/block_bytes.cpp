#include "qp/working_set/block_bytes.hpp"

#include "qp/working_set/working_set.hpp"

namespace sculpt::core {
namespace {

constexpr double of_allocation = 16;              // what the heap adds to each, in the mean
constexpr double of_vector = of_allocation + 16;  // and the count of those that share it
constexpr double vectors_of_block = 7;
// Vectors double when they are full, and what they leave is not all used again; the matrix of the
// products grows by half of its side.
constexpr double growth = 1.5;

}  // namespace

double block_bytes(double planes, double vector_bytes, bool shared) {
  const double size = planes + 1;
  const double gram = size * size * sizeof(double);
  const double noted = 2 * (size * sizeof(double) + sizeof(std::uint64_t));  // AlphaSnapshot, twice
  return sizeof(Block) + vectors_of_block * of_allocation +
         growth * (size * Block::plane_bytes + gram + noted) +
         (shared ? 1 : planes) * (vector_bytes + of_vector);
}

}  // namespace sculpt::core
