// The reader of the dataset graph: sites with features and labels, and edges of several kinds.
#include "contract.hpp"
#include "experiment_text.hpp"

using namespace sculpt::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data, Exit::config}, [&] {
    fuzz::read_dataset("graph", R"("features": "graph", "loss": "hamming", "oracle": "icm")",
                       fuzz::text_of(data, size));
  });
}
