// allowed.hpp - which bases of a sequence may stay single, and which may pair: by their letters, or
// those of one structure alone. What Structures (structures.hpp) derives keeps to it.
#pragma once

#include <cstdint>
#include <vector>

namespace rna {

struct Allowed {
  std::int32_t bases = 0;
  std::vector<std::uint8_t> single;  // [bases]
  std::vector<std::uint8_t> pair;    // [bases][bases], i < j

  // No pair, and all bases single or none.
  void reset(std::size_t count, bool singles) {
    bases = static_cast<std::int32_t>(count);
    single.assign(count, singles ? 1 : 0);
    pair.assign(count * count, 0);
  }
  void set_pair(std::size_t i, std::size_t j) { pair[i * static_cast<std::size_t>(bases) + j] = 1; }
  bool pairs(std::int32_t i, std::int32_t j) const {
    return pair[static_cast<std::size_t>(i) * static_cast<std::size_t>(bases) +
                static_cast<std::size_t>(j)] != 0;
  }
};

}  // namespace rna
