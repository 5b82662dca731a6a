// outputs.hpp - the outputs of one example: all there are, or a pool of those that are known.
//
//   all      the oracle's or the features' sculpt.enumerate/1 (ext/enumerate.h), or the product of
//            the states of the factor graph, up to a limit
//   a pool   the truth, the oracle's answers at random w, random assignments of the graph
//
// Made by Bench for the tests that compare an answer with other outputs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "check/weights.hpp"
#include "linalg/rounding.hpp"
#include "problem/problem.hpp"

namespace sculpt::core {

// An output of an example, or what an oracle gives in place of one, and what features and loss say
// of it.
struct Output {
  std::vector<std::int32_t> labels;
  SparseVector psi;
  double loss = 0;           // 0 where there is no loss
  bool fractional = false;   // a relaxed answer that is no output: without labels
  CancelledTerms cancelled;  // of psi

  sculpt_labels raw() const {
    static const std::int32_t empty = 0;
    return {labels.empty() ? &empty : labels.data(), static_cast<std::int64_t>(labels.size())};
  }
};

// <w, psi>, and the terms that it is summed from, which rounding is measured by.
struct Worth {
  double score = 0;
  Terms terms;
};
Worth worth_of(const SparseVector& psi, const CancelledTerms& cancelled, std::span<const double> w);
Worth worth_of(const Output& output, std::span<const double> w);

struct OutputSet {
  std::vector<Output> outputs;  // in the order found, each once
  bool complete = false;        // all there are
  std::string origin;           // "all 9 outputs, by the factor graph of chain"
  std::size_t truth = npos;     // its place; npos when it is not among them

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
};

// Finds the outputs of examples. One thread; uses worker 0 of the problem.
class OutputSource {
 public:
  // `limit`: more outputs than that are not listed.
  OutputSource(Problem& problem, std::int64_t limit) : problem_(problem), limit_(limit) {}

  // All outputs of the example, or those that are known: the truth and `further`. Throws Failure in
  // the name of the component that is at fault.
  OutputSet find(std::int64_t example, const std::vector<std::vector<std::int32_t>>& further);

  // The output with its psi and its loss.
  Output appraised(std::int64_t example, const std::vector<std::int32_t>& labels);

 private:
  struct Listing {
    bool complete = false;
    std::string by;
    std::vector<std::vector<std::int32_t>> labels;
  };
  Listing list(std::int64_t example);
  bool enumerate(const Component& component, void* session, std::int64_t example, Listing& out);
  bool multiply(std::int64_t example, Listing& out);

  Problem& problem_;
  std::int64_t limit_;
};

}  // namespace sculpt::core
