// truth_vectors.hpp - stores psi(x, y) of the truths, up to 32 MiB or a share of the key "memory".
//
// Held by Problem. Filled when the truths are checked, then read at every oracle call. The psi of a
// truth never changes, and computing it again costs as much as that of a guess.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "linalg/rounding.hpp"
#include "linalg/vector.hpp"

namespace sculpt::core {

class TruthVectors {
 public:
  static constexpr std::int64_t usual_max_bytes = std::int64_t{32} << 20;

  // For the examples [0, count). 0: stores nothing.
  explicit TruthVectors(std::int64_t count = 0, std::int64_t max_bytes = usual_max_bytes)
      : max_bytes_(static_cast<std::size_t>(max_bytes)),
        vectors_(static_cast<std::size_t>(count)) {}
  TruthVectors(TruthVectors&& other) noexcept
      : max_bytes_(other.max_bytes_),
        vectors_(std::move(other.vectors_)),
        bytes_(other.bytes_.load()) {}
  TruthVectors& operator=(TruthVectors&& other) noexcept {
    max_bytes_ = other.max_bytes_;
    vectors_ = std::move(other.vectors_);
    bytes_ = other.bytes_.load();
    return *this;
  }

  // Stores a copy, unless the limit is reached. Called from any thread, once for each example.
  void store(std::int64_t example, const FeatureSum& truth) {
    if (vectors_.empty()) return;
    const std::size_t entries = truth.psi.index.size() + truth.cancelling.magnitude.index.size();
    const std::size_t bytes =
        sizeof(FeatureSum) + entries * (sizeof(std::int32_t) + sizeof(double));
    if (bytes_.fetch_add(bytes) + bytes <= max_bytes_) {
      vectors_[static_cast<std::size_t>(example)] = std::make_unique<const FeatureSum>(truth);
    }
  }

  // Of what is stored, about.
  std::int64_t bytes() const {
    return static_cast<std::int64_t>(std::min(bytes_.load(), max_bytes_));
  }

  // Returns nullptr if it is not stored.
  const FeatureSum* find(std::int64_t example) const {
    return vectors_.empty() ? nullptr : vectors_[static_cast<std::size_t>(example)].get();
  }

 private:
  std::size_t max_bytes_;
  std::vector<std::unique_ptr<const FeatureSum>> vectors_;  // [examples]
  std::atomic<std::size_t> bytes_ = 0;  // also of those for which there was no room
};

}  // namespace sculpt::core
