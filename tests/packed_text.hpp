// packed_text.hpp - packs text by gzip and zstd, for tests that read packed data.
#pragma once

#include <zlib.h>
#include <zstd.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace sculpt::test {

inline std::string gzip(std::string_view text) {
  constexpr int as_gzip = 16 + MAX_WBITS;
  constexpr int memory_level = 8;
  z_stream stream = {};
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, as_gzip, memory_level, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::runtime_error("zlib does not start");
  }
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int result = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) throw std::runtime_error("zlib does not end");
  return packed;
}

inline std::string zstd(std::string_view text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 1);
  if (ZSTD_isError(size) != 0) throw std::runtime_error(ZSTD_getErrorName(size));
  packed.resize(size);
  return packed;
}

// As by `zstd --long=LOG`: the frame asks for a window of 2^log bytes.
inline std::string zstd_with_window(std::string_view text, int log) {
  std::string packed(ZSTD_compressBound(text.size()) + 64, '\0');
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, log);
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  ZSTD_inBuffer in = {text.data(), text.size(), 0};
  ZSTD_outBuffer out = {packed.data(), packed.size(), 0};
  // In two steps, so that the window is not cut to the size of the text.
  std::size_t rest = ZSTD_compressStream2(context, &out, &in, ZSTD_e_continue);
  while (ZSTD_isError(rest) == 0 &&
         (rest = ZSTD_compressStream2(context, &out, &in, ZSTD_e_end)) != 0) {
    if (ZSTD_isError(rest) != 0) break;
  }
  ZSTD_freeCCtx(context);
  if (ZSTD_isError(rest) != 0) throw std::runtime_error(ZSTD_getErrorName(rest));
  packed.resize(out.pos);
  return packed;
}

}  // namespace sculpt::test
