// The reader of the dataset item_pairs: rows `document i j same index:value ...`. The oracle
// refuses larger documents after they are read.
#include "contract.hpp"
#include "experiment_text.hpp"

using namespace sculpt::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data, Exit::config}, [&] {
    fuzz::read_dataset("item_pairs",
                       R"("features": "clustering", "loss": "rand_error",
           "oracle": {"use": "clustering_enumeration", "max_items": 8})",
                       fuzz::text_of(data, size));
  });
}
