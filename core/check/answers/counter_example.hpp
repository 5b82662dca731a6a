// counter_example.hpp - prints a failed query: example, outputs as text, scores, weights. Called by
// the tests of oracles.
#pragma once

#include <string>
#include <vector>

#include "check/fixture/test_fixture.hpp"

namespace sculpt::core {

// Returns the example in the format of its dataset: `example 1, truth "ab" [0 1]`, or `example 1,
// unlabelled`.
std::string example_text(TestFixture& fixture, std::int64_t example);

// Returns `  answer  "ba" [1 0]: score 3 + 1 * loss 2 = 5`.
std::string output_text(TestFixture& fixture, const OracleQuery& query, const std::string& role,
                        const Output& output);

// Returns the first weights that are not zero, with their names, and how many are left out.
std::vector<std::string> weight_lines(TestFixture& fixture, const Weights& w);

// Returns all lines: what failed, the query, the outputs, the weights.
std::vector<std::string> counter_example(
    TestFixture& fixture, const std::string& message, const OracleQuery& query,
    const std::vector<std::pair<std::string, const Output*>>& outputs);

}  // namespace sculpt::core
