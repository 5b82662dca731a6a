#include "qp/working_set/block_bytes.hpp"

#include "qp/working_set/working_set.hpp"

namespace sculpt::core {
namespace {

constexpr double of_allocation = 16;              // heap overhead of each allocation, on average
constexpr double of_vector = of_allocation + 16;  // with the reference count of shared vectors
constexpr double vectors_of_block = 7;
// Vectors double when they are full, and the memory they leave is only partly used again. The
// matrix of products grows by half of its side.
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
