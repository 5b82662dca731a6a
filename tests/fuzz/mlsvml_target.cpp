// The reader of the dataset mlsvml: rows `label,label index:value ...`. The features learn a tree
// of labels from the rows.
#include "contract.hpp"
#include "experiment_text.hpp"

using namespace sculpt::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data, Exit::config}, [&] {
    fuzz::read_dataset("mlsvml",
                       R"("features": {"use": "multilabel", "edges": "tree"}, "loss": "hamming",
                          "oracle": "viterbi")",
                       fuzz::text_of(data, size));
  });
}
