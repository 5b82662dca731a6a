#include "qp/working_set/block_bytes.hpp"

#include "qp/working_set/working_set.hpp"

namespace sculpt::core {
namespace {

// The heap overhead of each allocation, on average. The second is for a vector with a count of its
// references.
constexpr double bytes_per_allocation = 16;
constexpr double bytes_per_vector = bytes_per_allocation + 16;
constexpr double vectors_per_block = 7;
// Vectors double when they are full, and the memory they leave is only partly used again. The
// matrix of products grows by half of its side.
constexpr double growth_factor = 1.5;

}  // namespace

double block_bytes(double planes, double vector_bytes, bool share_input) {
  const double size = planes + 1;
  const double gram = size * size * sizeof(double);
  const double snapshots = 2 * (size * sizeof(double) + sizeof(std::uint64_t));  // AlphaSnapshot
  return sizeof(Block) + vectors_per_block * bytes_per_allocation +
         growth_factor * (size * Block::plane_bytes + gram + snapshots) +
         (share_input ? 1 : planes) * (vector_bytes + bytes_per_vector);
}

}  // namespace sculpt::core
