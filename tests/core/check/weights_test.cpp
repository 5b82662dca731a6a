#include "check/weights.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
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
    // a file that may not be written has no such right to give: mprotect fails, in a destructor
    const int file = open("/proc/self/exe", O_RDONLY);
    void* const place = reinterpret_cast<void*>(address / page * page);
    REQUIRE(mmap(place, page, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) == place);
    close(file);
  }
  const Weights next = source.normal(random);
  CHECK(next.values()[0] != 0);
}
