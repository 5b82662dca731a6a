#include "registry/elf_image.hpp"

#include <elf.h>
#include <link.h>

#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <system_error>
#include <vector>

#include "base/file/open_file.hpp"

namespace sculpt::core {

namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);

constexpr unsigned char native_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
constexpr unsigned char native_order =
    std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

template <class Item>
bool read_at(std::ifstream& file, std::uint64_t offset, Item* items, std::size_t count) {
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  const auto size = static_cast<std::streamsize>(count * sizeof(Item));
  return file.read(reinterpret_cast<char*>(items), size) && file.gcount() == size;
}

// True if [offset, offset + size) ends within the file. Cannot overflow.
bool is_within(std::uint64_t offset, std::uint64_t size, std::uint64_t file_size) {
  return offset <= file_size && size <= file_size - offset;
}

// The machine that this program was built for.
std::optional<unsigned> own_machine() {
  std::ifstream self("/proc/self/exe", std::ios::binary);
  Header header;
  if (!self || !read_at(self, 0, &header, 1)) return std::nullopt;
  return header.e_machine;
}

// Returns why this system cannot load a file with this header, or "".
std::string kind_fault(const Header& header) {
  if (header.e_ident[EI_CLASS] != native_class || header.e_ident[EI_DATA] != native_order ||
      own_machine().value_or(header.e_machine) != header.e_machine) {
    return "is built for another machine";
  }
  if (header.e_type != ET_DYN) return "is an ELF file, but not a shared library";
  return "";
}

}  // namespace

std::string elf_fault(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return "does not exist";
  if (!std::filesystem::is_regular_file(path, error)) return "is not a file";
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error) return "cannot be read: " + error.message();
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file && is_out_of_files(errno)) {
    throw system_failure(Exit::plugin, path.string() + ": cannot be opened", errno);
  }
  if (!file) return "cannot be opened" + system_reason();
  const auto truncated_text = [size](const char* part) {
    return "is truncated (" + std::string(part) + " do not fit into its " + std::to_string(size) +
           " bytes); build or copy it again";
  };
  if (size == 0) return "is empty; build or copy it again";

  unsigned char magic[SELFMAG] = {};
  if (size < SELFMAG || !read_at(file, 0, magic, SELFMAG) ||
      std::memcmp(magic, ELFMAG, SELFMAG) != 0) {
    return "is not a shared library (not an ELF file)";
  }
  Header header;
  if (size < sizeof header || !read_at(file, 0, &header, 1)) return truncated_text("its headers");
  if (std::string fault = kind_fault(header); !fault.empty()) return fault;

  const std::uint64_t sections = std::uint64_t{header.e_shentsize} * header.e_shnum;
  if (!is_within(header.e_shoff, sections, size)) return truncated_text("its section headers");
  if (header.e_phentsize != sizeof(Segment)) return "is not a shared library of this system";
  std::vector<Segment> segments(header.e_phnum);
  if (!is_within(header.e_phoff, segments.size() * sizeof(Segment), size) ||
      !read_at(file, header.e_phoff, segments.data(), segments.size())) {
    return truncated_text("its program headers");
  }
  for (const Segment& segment : segments) {
    if (segment.p_type != PT_LOAD && segment.p_type != PT_DYNAMIC) continue;
    if (!is_within(segment.p_offset, segment.p_filesz, size)) return truncated_text("its segments");
  }
  return "";
}

}  // namespace sculpt::core
