// The key "memory".
#include "experiment/memory_size.hpp"

#include <doctest/doctest.h>

using namespace sculpt::core;

TEST_CASE("sizes are numbers with units of 1000 or 1024, or bytes") {
  CHECK(bytes_in("4GB") == 4'000'000'000);
  CHECK(bytes_in("4 GB") == 4'000'000'000);
  CHECK(bytes_in("1.5MB") == 1'500'000);
  CHECK(bytes_in("2GiB") == 2'147'483'648);
  CHECK(bytes_in("10kB") == 10'000);
  CHECK(bytes_in("12345") == 12'345);
  CHECK(bytes_in("1e9") == 1'000'000'000);
  CHECK(bytes_in("1TiB") == 1'099'511'627'776);
}

TEST_CASE("other texts are no sizes") {
  for (const char* const text : {"", "GB", "4 bananas", "-1GB", "0", "0.2", "nan", "inf", "1e30GB",
                                 "4GB ", "4G B", "0x10"}) {
    CAPTURE(text);
    CHECK_FALSE(bytes_in(text).has_value());
  }
}
