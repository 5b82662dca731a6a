// sample.hpp - random derivations of a program, p(derivation) ~ exp(score).
//
// SPDX-License-Identifier: Apache-2.0
//
// Samples are exact and independent: from the goal down, each edge is drawn by its share of the
// node (moments.hpp). Used by oracle_session.hpp and by viterbi.
#pragma once

#include "../cpp/random.hpp"
#include "moments.hpp"

namespace sculpt::program {

template <Program P>
class Sampler {
 public:
  // Returns log Z, `underivable` if there is no derivation to draw. Call it once before any number
  // of draws.
  double prepare(const P& program) { return moments_.log_z(program); }

  void draw(const P& program, Random& random, Derivation<P>& out) {
    derive(program, pending_, out, [&](std::int64_t node, typename P::Edge& chosen) {
      const auto& shares = moments_.shares(program, node);
      double remaining = random.unit();
      std::size_t k = 0;
      while (k + 1 < shares.size() && remaining >= shares[k].q) remaining -= shares[k++].q;
      chosen = shares[k].edge;
    });
  }

 private:
  Moments<P> moments_;
  std::vector<std::int64_t> pending_;  // scratch of derive()
};

}  // namespace sculpt::program
