#include "command/new/new_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>

#include "base/failure.hpp"
#include "base/file/durable_file.hpp"
#include "base/file/open_file.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_existing(const fs::path& path) {
  throw Failure(
      Exit::cannot_create,
      path.string() + ": exists already; choose another name, or start in another folder");
}

// A folder that is removed again, unless it gets its name.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const fs::path& path) : path_(path) {
    for (int k = 0;; ++k) {
      temporary_ = path.parent_path() / ("." + path.filename().string() + "." +
                                         std::to_string(::getpid()) + "." + std::to_string(k));
      if (::mkdir(temporary_.c_str(), 0777) == 0) return;
      if (errno != EEXIST) {
        throw system_failure(Exit::cannot_create, path.string() + ": cannot be created", errno,
                             "; start in a folder that you may write to");
      }
    }
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    if (is_in_place_) return;
    std::error_code ignored;
    fs::remove_all(temporary_, ignored);
  }

  const fs::path& path() const { return temporary_; }

  // A plain rename would replace an empty folder. Some file systems know no other one.
  void put_in_place() {
    int status =
        ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE);
    if (status != 0 && (errno == EINVAL || errno == ENOSYS)) {
      if (fs::symlink_status(path_).type() != fs::file_type::not_found) refuse_existing(path_);
      status = ::rename(temporary_.c_str(), path_.c_str());
    }
    if (status != 0 && errno == EEXIST) refuse_existing(path_);
    if (status != 0) {
      throw system_failure(Exit::cannot_create, path_.string() + ": cannot be created", errno);
    }
    is_in_place_ = true;
  }

 private:
  fs::path path_;
  fs::path temporary_;
  bool is_in_place_ = false;
};

}  // namespace

void write_new_folder(const fs::path& path, std::span<const NewFile> files) {
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(path, ignored))) refuse_existing(path);
  TemporaryFolder folder(path);
  for (const NewFile& file : files) {
    const std::array<std::string_view, 1> text{file.text};
    write_durably(folder.path() / file.path, text);
  }
  folder.put_in_place();
}

}  // namespace sculpt::core
