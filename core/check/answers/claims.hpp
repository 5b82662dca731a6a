// claims.hpp - tests the claims that an answer makes about itself.
//
// Each function tests one claim of an answer that is not NO_OUTPUT. It returns lines for people if
// the claim is wrong, else none. A missing claim is not an error. Used by the tests of oracles.
#pragma once

#include <string>
#include <vector>

#include "check/fixture/test_fixture.hpp"

namespace sculpt::core {

using ClaimCheck = std::vector<std::string> (*)(TestFixture& fixture, const OracleQuery& query,
                                                const OwnedAnswer& answer);

// The value is that of the output.
std::vector<std::string> value_violation(TestFixture& fixture, const OracleQuery& query,
                                         const OwnedAnswer& answer);

// EXACT: no known output is better.
std::vector<std::string> exact_violation(TestFixture& fixture, const OracleQuery& query,
                                         const OwnedAnswer& answer);

// TRUTH_OUTSIDE: set if and only if the truth is none of the outputs. Tested only if all outputs
// are listed.
std::vector<std::string> truth_outside_violation(TestFixture& fixture, const OracleQuery& query,
                                                 const OwnedAnswer& answer);

// EXACT or BOUND, without TRUTH_OUTSIDE: the value of the truth is not larger.
std::vector<std::string> truth_violation(TestFixture& fixture, const OracleQuery& query,
                                         const OwnedAnswer& answer);

// BOUND: no known output has a larger value.
std::vector<std::string> bound_violation(TestFixture& fixture, const OracleQuery& query,
                                         const OwnedAnswer& answer);

// For a relaxed answer with EXACT or BOUND. The relaxed set contains all outputs. So the answer,
// every known output, and the truth (unless TRUTH_OUTSIDE) have at most this value.
std::vector<std::string> relaxed_bound_violation(TestFixture& fixture, const OracleQuery& query,
                                                 const OwnedAnswer& answer);

// BOUND: the value of the answer itself is not larger. Cheap: no other output is compared.
std::vector<std::string> own_bound_violation(TestFixture& fixture, const OracleQuery& query,
                                             const OwnedAnswer& answer);

}  // namespace sculpt::core
