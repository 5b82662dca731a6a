// The reader of the dataset topics: documents with subtopics and words.
#include "contract.hpp"
#include "experiment_text.hpp"

using namespace sculpt::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data, Exit::config}, [&] {
    fuzz::read_dataset(
        "topics",
        R"("features": {"use": "coverage", "counts": [1, 3]}, "loss": "subtopics", "oracle": "exact_coverage")",
        fuzz::text_of(data, size));
  });
}
