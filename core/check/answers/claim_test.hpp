// claim_test.hpp - a claim of an oracle's answers is tried with many questions.
//
// Shared by the tests of oracles and of relaxed answers.
#pragma once

#include "check/answers/claims.hpp"

namespace sculpt::core {

// What the questions of a test were about.
struct AnswerClaimCounts {
  std::int64_t exact = 0;
  std::int64_t bounded = 0;
  std::int64_t fractional = 0;
  std::int64_t forced = 0;  // compared with all outputs
  std::int64_t best = 0;    // of these, where none was better though EXACT was not said
};

// Asks everything that TestFixture asks, in the way that `relaxed` says, and hands each answer that
// is no NO_OUTPUT to the claim. The first that breaks it, made small, ends the test.
AnswerClaimCounts test_claim(TestFixture& fixture, TestContext& context, const char* test,
                             ClaimCheck claim, bool relaxed = false);

}  // namespace sculpt::core
