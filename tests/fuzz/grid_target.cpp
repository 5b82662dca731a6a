// The reader of the dataset grid: images with a label for each pixel. The features make a graph of
// each image.
#include "contract.hpp"
#include "experiment_text.hpp"

using namespace sculpt::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data, Exit::config}, [&] {
    fuzz::read_dataset("grid", R"("features": "graph", "loss": "hamming", "oracle": "icm")",
                       fuzz::text_of(data, size));
  });
}
