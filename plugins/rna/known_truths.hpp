// known_truths.hpp - how the grammar derives the truths: found once for each example, by whichever
// session asks first, since psi and the oracle ask for them over and over.
//
// Owned by the features rna.
#pragma once

#include <memory>
#include <mutex>

#include "deriver.hpp"

namespace rna {

class KnownTruths {
 public:
  // Forgets all. [main]
  void begin(std::int64_t examples) {
    known_.clear();
    known_.resize(static_cast<std::size_t>(examples));
  }

  // That of an example, by find() where nobody knows it yet; two threads may do so at once, and
  // find the same. Lives as long as the features. [worker]
  template <class Find>
  const Derived& of(std::int64_t example, Find find) const {
    std::unique_ptr<const Derived>& known = known_[static_cast<std::size_t>(example)];
    {
      const std::lock_guard lock(mutex_);
      if (known != nullptr) return *known;
    }
    auto found = std::make_unique<const Derived>(find());
    const std::lock_guard lock(mutex_);
    if (known == nullptr) known = std::move(found);
    return *known;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<const Derived>> known_;  // [examples]
};

}  // namespace rna
