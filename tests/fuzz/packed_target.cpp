// The readers of packed bytes, gzip and zstd.
#include <memory>

#include "base/file/byte_input.hpp"
#include "contract.hpp"

using namespace sculpt::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data}, [&] {
    const std::unique_ptr<ByteInput> input =
        unpacked(open_memory_bytes(fuzz::text_of(data, size)), "train.txt");
    while (!input->read().empty()) {
    }
  });
}
