// truth_derivations.hpp - a cache of the derivations of the truths. The first session that needs
// one computes it, because psi and the oracle need them often.
//
// Called by the sessions of the features rna (rna_features.cpp).
#pragma once

#include <memory>
#include <mutex>

#include "structure_parser.hpp"

namespace rna {

class TruthDerivations {
 public:
  // Clears the cache. [main]
  void reset(std::int64_t examples) {
    derivations_.clear();
    derivations_.resize(static_cast<std::size_t>(examples));
  }

  // Returns the derivation of an example; find() computes it if it is missing. Two threads may
  // compute it at the same time, with the same result. It is valid as long as the features.
  // [worker]
  template <class Find>
  const StructureDerivation& get(std::int64_t example, Find find) const {
    std::unique_ptr<const StructureDerivation>& cached =
        derivations_[static_cast<std::size_t>(example)];
    {
      const std::lock_guard lock(mutex_);
      if (cached != nullptr) return *cached;
    }
    auto computed = std::make_unique<const StructureDerivation>(find());
    const std::lock_guard lock(mutex_);
    if (cached == nullptr) cached = std::move(computed);
    return *cached;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<const StructureDerivation>> derivations_;  // [examples]
};

}  // namespace rna
