// The reader of the dataset svmlight_set: rows `label index:value ...`; all rows are one example.
#include "contract.hpp"
#include "experiment_text.hpp"

using namespace sculpt::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data, Exit::config}, [&] {
    fuzz::read_dataset(
        "svmlight_set",
        R"("features": "contingency", "loss": "error_rate", "oracle": "contingency")",
        fuzz::text_of(data, size));
  });
}
