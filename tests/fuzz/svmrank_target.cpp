// The reader of the dataset svmrank: rows `grade qid:number index:value ...`. The rows of a query
// are one example.
#include "contract.hpp"
#include "experiment_text.hpp"

using namespace sculpt::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data, Exit::config}, [&] {
    fuzz::read_dataset("svmrank",
                       R"("features": "ranking", "loss": "pair_error", "oracle": "ranking")",
                       fuzz::text_of(data, size));
  });
}
