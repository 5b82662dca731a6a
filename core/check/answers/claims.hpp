// claims.hpp - what an answer claims of itself, and what breaks it.
//
// Each function asks whether an answer that is no NO_OUTPUT keeps to one claim: lines for people
// when it does not, else none. What is not claimed is not broken. Used by the tests of oracles.
#pragma once

#include <string>
#include <vector>

#include "check/fixture/test_fixture.hpp"

namespace sculpt::core {

using ClaimCheck = std::vector<std::string> (*)(TestFixture& fixture, const OracleQuery& question,
                                                const OwnedAnswer& reply);

// The value is that of the output.
std::vector<std::string> value_violation(TestFixture& fixture, const OracleQuery& question,
                                         const OwnedAnswer& reply);

// EXACT: no output that is known is better.
std::vector<std::string> exact_violation(TestFixture& fixture, const OracleQuery& question,
                                         const OwnedAnswer& reply);

// TRUTH_OUTSIDE: said where the truth is none of the outputs, and nowhere else. Judged where all of
// these are listed.
std::vector<std::string> truth_outside_violation(TestFixture& fixture, const OracleQuery& question,
                                                 const OwnedAnswer& reply);

// EXACT or BOUND, without TRUTH_OUTSIDE: the truth has no larger value.
std::vector<std::string> truth_violation(TestFixture& fixture, const OracleQuery& question,
                                         const OwnedAnswer& reply);

// BOUND: no output that is known has a larger value.
std::vector<std::string> bound_violation(TestFixture& fixture, const OracleQuery& question,
                                         const OwnedAnswer& reply);

// Of a relaxed answer, EXACT or BOUND: neither the answer itself nor an output that is known, nor
// the truth unless it is TRUTH_OUTSIDE, has a larger value: the larger set holds all outputs.
std::vector<std::string> broken_relaxed_bound(TestFixture& fixture, const OracleQuery& question,
                                              const OwnedAnswer& reply);

// BOUND: the answer itself has no larger value. Cheap: no other output is looked at.
std::vector<std::string> broken_own_bound(TestFixture& fixture, const OracleQuery& question,
                                          const OwnedAnswer& reply);

}  // namespace sculpt::core
