// Unpacks gzip (zlib) and zstd. Both formats may have several parts one after the other, as written
// by `cat a.gz b.gz`, bgzip and pzstd. An end within a part is an error: the libraries do not
// report it, and the rest of the data would be missing without a word.

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "base/failure.hpp"
#include "base/file/byte_input.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t unpacked_block_size = std::size_t{1} << 18;

[[noreturn]] void refuse_end(const std::string& path, const char* format) {
  throw Failure(Exit::data, path + ": ends in the middle of its " + format +
                                " data; get a complete copy, or pack it again");
}
[[noreturn]] void refuse_bytes(const std::string& path, const char* format, const char* reason) {
  throw Failure(Exit::data, path + ": its " + format + " data are damaged" +
                                (reason == nullptr ? "" : std::string(" (") + reason + ")") +
                                "; get another copy, or pack it again");
}

class GzipBytes : public ByteInput {
 public:
  GzipBytes(std::unique_ptr<ByteInput> packed, std::string path)
      : input_(std::move(packed)), path_(std::move(path)), out_(unpacked_block_size) {
    constexpr int gzip_only = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, gzip_only) != Z_OK) throw std::bad_alloc();
  }
  GzipBytes(const GzipBytes&) = delete;
  GzipBytes& operator=(const GzipBytes&) = delete;
  ~GzipBytes() override { inflateEnd(&stream_); }

  std::string_view read() override {
    stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
    stream_.avail_out = static_cast<uInt>(out_.size());
    while (stream_.avail_out == out_.size()) {
      if (stream_.avail_in == 0 && !more_output_ && !fill()) break;
      if (is_between_parts_ && !skip_padding()) continue;
      const int result = inflate(&stream_, Z_NO_FLUSH);
      more_output_ = stream_.avail_out == 0;
      is_between_parts_ = result == Z_STREAM_END;
      if (result == Z_STREAM_END) {
        inflateReset(&stream_);
        more_output_ = false;
      } else if (result == Z_MEM_ERROR) {
        throw std::bad_alloc();
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        refuse_bytes(path_, "gzip", stream_.msg);
      }
    }
    return {out_.data(), out_.size() - stream_.avail_out};
  }

 private:
  // Gets packed bytes. False at the end.
  bool fill() {
    const std::string_view packed = input_->read();
    if (packed.empty() && !is_between_parts_) refuse_end(path_, "gzip");
    // zlib does not write to its input; its C declaration lacks the const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    return !packed.empty();
  }

  // Skips zeros behind a part: tapes and some copies fill the last block, and gzip accepts that.
  // False if no other byte is left.
  bool skip_padding() {
    while (stream_.avail_in > 0 && *stream_.next_in == 0) {
      ++stream_.next_in;
      --stream_.avail_in;
    }
    return stream_.avail_in > 0;
  }

  std::unique_ptr<ByteInput> input_;
  std::string path_;
  std::vector<char> out_;
  z_stream stream_ = {};
  bool more_output_ = false;  // zlib may have output that did not fit
  bool is_between_parts_ = false;
};

class ZstdBytes : public ByteInput {
 public:
  ZstdBytes(std::unique_ptr<ByteInput> packed, std::string path)
      : input_(std::move(packed)),
        path_(std::move(path)),
        out_(unpacked_block_size),
        stream_(ZSTD_createDStream(), ZSTD_freeDStream) {
    if (stream_ == nullptr) throw std::bad_alloc();
    // Without this, zstd refuses what `zstd --long` packs. It allocates what the head of the
    // file names, at most 2 GB.
    ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax,
                           ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound);
  }

  std::string_view read() override {
    ZSTD_outBuffer out = {out_.data(), out_.size(), 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size && !more_output_ && !fill()) break;
      const std::size_t result = ZSTD_decompressStream(stream_.get(), &out, &in_);
      if (ZSTD_isError(result) != 0) refuse(result);
      is_between_parts_ = result == 0;  // all output of the part is given
      more_output_ = out.pos == out.size && !is_between_parts_;
    }
    return {out_.data(), out.pos};
  }

 private:
  [[noreturn]] void refuse(std::size_t result) const {
    switch (ZSTD_getErrorCode(result)) {
      case ZSTD_error_memory_allocation:
        throw std::bad_alloc();
      case ZSTD_error_frameParameter_windowTooLarge:
        throw Failure(Exit::data, path_ +
                                      ": its zstd data need a window above 2 GB; pack it again "
                                      "with a smaller --long");
      case ZSTD_error_dictionary_wrong:
        throw Failure(Exit::data,
                      path_ + ": its zstd data need a dictionary; pack it again without one");
      default:
        refuse_bytes(path_, "zstd", ZSTD_getErrorName(result));
    }
  }
  // Gets packed bytes. False at the end.
  bool fill() {
    const std::string_view packed = input_->read();
    in_ = {packed.data(), packed.size(), 0};
    if (packed.empty() && !is_between_parts_) refuse_end(path_, "zstd");
    return !packed.empty();
  }

  std::unique_ptr<ByteInput> input_;
  std::string path_;
  std::vector<char> out_;
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_;
  ZSTD_inBuffer in_ = {};
  bool more_output_ = false;  // zstd may have output that did not fit
  bool is_between_parts_ = false;
};

enum class Format { plain, gzip, zstd, undecided };

// The format of a file that begins with these bytes. Undecided if more bytes could tell.
Format format_of(std::string_view bytes) {
  constexpr std::string_view gzip("\x1F\x8B\x08", 3);
  constexpr std::string_view zstd("\x28\xB5\x2F\xFD", 4);
  constexpr std::string_view skippable("\x2A\x4D\x18", 3);  // behind a byte from 0x50 to 0x5F
  const auto agrees = [](std::string_view text, std::string_view magic) {
    const std::size_t size = std::min(text.size(), magic.size());
    return text.substr(0, size) == magic.substr(0, size);
  };
  if (bytes.empty()) return Format::undecided;
  if (agrees(bytes, gzip)) return bytes.size() < gzip.size() ? Format::undecided : Format::gzip;
  const bool begins_with_skippable = (static_cast<unsigned char>(bytes.front()) & 0xF0U) == 0x50U;
  if (agrees(bytes, zstd) || (begins_with_skippable && agrees(bytes.substr(1), skippable))) {
    return bytes.size() < zstd.size() ? Format::undecided : Format::zstd;
  }
  return Format::plain;
}

// Reads the first bytes of an input, finds out their format, and then gives all of them.
class InputWithFormat : public ByteInput {
 public:
  explicit InputWithFormat(ByteInput& input) : input_(input), first_(input.read()) {
    while (format_of(first_) == Format::undecided) {
      if (copied_.empty()) copied_ = first_;
      const std::string_view more = input_.read();
      first_ = copied_ += more;
      if (more.empty()) break;
    }
    format_ = format_of(first_);
  }
  InputWithFormat(const InputWithFormat&) = delete;
  InputWithFormat& operator=(const InputWithFormat&) = delete;

  Format format() const { return format_; }
  std::string_view read() override {
    return first_.empty() ? input_.read() : std::exchange(first_, {});
  }
  bool is_ready(int milliseconds) override {
    return !first_.empty() || input_.is_ready(milliseconds);
  }

 private:
  ByteInput& input_;
  std::string copied_;      // the first bytes, if they came in several blocks
  std::string_view first_;  // bytes that read() has not given yet
  Format format_ = Format::plain;
};

// Finds out the format at the first read: a pipe may have no bytes before.
class UnpackedBytes : public ByteInput {
 public:
  UnpackedBytes(std::unique_ptr<ByteInput> input, std::string path)
      : packed_(std::move(input)), path_(std::move(path)) {}

  std::string_view read() override {
    if (input_ == nullptr) open();
    return input_->read();
  }
  bool is_ready(int milliseconds) override {
    return (input_ == nullptr ? *packed_ : *input_).is_ready(milliseconds);
  }

 private:
  void open() {
    auto bytes = std::make_unique<InputWithFormat>(*packed_);
    const Format format = bytes->format();
    if (format == Format::gzip) {
      input_ = std::make_unique<GzipBytes>(std::move(bytes), path_);
    } else if (format == Format::zstd) {
      input_ = std::make_unique<ZstdBytes>(std::move(bytes), path_);
    } else {
      input_ = std::move(bytes);
    }
  }

  std::unique_ptr<ByteInput> packed_;  // as it was opened
  std::string path_;
  std::unique_ptr<ByteInput> input_;  // nullptr before the first read
};

}  // namespace

std::unique_ptr<ByteInput> unpacked(std::unique_ptr<ByteInput> input, const std::string& path) {
  return std::make_unique<UnpackedBytes>(std::move(input), path);
}

}  // namespace sculpt::core
