// oracle_seed.hpp - seeds of oracle calls and stamps of weights.
//
// Called by Problem, ProblemPort and Predictor, by predict --scores and by check.
#pragma once

#include <cstdint>

namespace sculpt::core {

// Returns a seed that depends only on (run, pass, example): three rounds of splitmix64 (Steele, Lea
// & Flood 2014).
std::uint64_t oracle_seed(std::uint64_t run_seed, std::uint64_t pass, std::int64_t example);

// Returns 1, 2, ...: never the same number twice in one process. Each w of queries gets one. So
// plugins and the host know if w is the same as before. [any]
std::uint64_t next_stamp();

}  // namespace sculpt::core
