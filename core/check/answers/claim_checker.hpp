// claim_checker.hpp - tests one claim of an oracle's answers with many queries.
//
// Shared by the tests of oracles and of relaxed answers.
#pragma once

#include "check/answers/claims.hpp"

namespace sculpt::core {

// Counts of the answers that a test has seen.
struct AnswerClaimCounts {
  std::int64_t exact = 0;
  std::int64_t bounded = 0;
  std::int64_t fractional = 0;
  std::int64_t brute_forced = 0;  // compared with all outputs
  std::int64_t best = 0;          // of these, not EXACT, but no output was better
};

// Asks all queries of the TestFixture, relaxed or not, and passes each answer to `claim`, except
// NO_OUTPUT. The first answer that breaks the claim ends the test, with its query made small.
AnswerClaimCounts test_claim(TestFixture& fixture, TestContext& context, const char* test_name,
                             ClaimCheck claim, bool is_relaxed = false);

// Passes the answer to one query to `claim`. If the claim is broken, ends the test with the query
// made small. The answer must not be NO_OUTPUT.
void test_claim_at(TestFixture& fixture, TestContext& context, ClaimCheck claim,
                   const OracleQuery& query, const OwnedAnswer& answer);

}  // namespace sculpt::core
