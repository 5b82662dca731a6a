#include "problem/plugin/oracle_seed.hpp"

#include <atomic>

namespace sculpt::core {

namespace {

std::uint64_t splitmix64(std::uint64_t state) {
  std::uint64_t z = state + 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

}  // namespace

std::uint64_t oracle_seed(std::uint64_t run_seed, std::uint64_t pass, std::int64_t example) {
  return splitmix64(splitmix64(splitmix64(run_seed) ^ pass) ^ static_cast<std::uint64_t>(example));
}

std::uint64_t next_stamp() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace sculpt::core
