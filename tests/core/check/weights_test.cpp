#include "check/weights.hpp"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace sculpt::core;

TEST_CASE("weights whose memory the system will not give back rights to are let go") {
  Random random(1, "weights");
  const WeightSource source(3, {0, 1, 2}, {});
  {
    const Weights w = source.normal(random);
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const auto address = reinterpret_cast<std::size_t>(w.values().data());
    // no memory, no rights: mprotect fails, in a destructor
    munmap(reinterpret_cast<void*>(address / page * page), page);
  }
  const Weights next = source.normal(random);
  CHECK(next.values()[0] != 0);
}
