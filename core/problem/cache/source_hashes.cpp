#include "problem/cache/source_hashes.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "base/file/content_hash.hpp"
#include "base/file/replaced_file.hpp"
#include "base/file/stored_json.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr int record_version = 1;
constexpr std::int64_t settling_nanoseconds = 2000000000;  // coarser than the times of any file

std::int64_t nanoseconds(const timespec& time) {
  constexpr std::int64_t in_a_second = 1000000000;
  return std::int64_t{time.tv_sec} * in_a_second + std::int64_t{time.tv_nsec};
}

std::int64_t now() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since_1970).count();
}

Json json_of(const FileStamp& stamp) {
  return {stamp.size, stamp.modified, stamp.changed, stamp.inode, stamp.device};
}

FileStamp stamp_in(const Json& json) {
  return {json.at(0).get<std::int64_t>(), json.at(1).get<std::int64_t>(),
          json.at(2).get<std::int64_t>(), json.at(3).get<std::uint64_t>(),
          json.at(4).get<std::uint64_t>()};
}

}  // namespace

bool FileStamp::is_settled(std::int64_t now) const {
  return std::max(modified, changed) < now - settling_nanoseconds;
}

std::optional<FileStamp> stamp_of(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileStamp{std::int64_t{status.st_size}, nanoseconds(status.st_mtim),
                   nanoseconds(status.st_ctim), std::uint64_t{status.st_ino},
                   std::uint64_t{status.st_dev}};
}

void SourceHashes::reload() {
  std::map<std::string, Entry> recorded;
  try {
    const Json json = read_stored_object(record_, Exit::data);
    if (!json.is_object() || json.value("version", 0) != record_version) return;
    if (json.at("check") != hash_text(json.at("files").dump())) return;
    for (const auto& [path, entry] : json.at("files").items()) {
      recorded[path] = {stamp_in(entry.at("stamp")), entry.at("hash").get<std::string>(), true};
    }
  } catch (const Failure&) {
    return;
  } catch (const Json::exception&) {
    return;
  }
  entries_.merge(recorded);
}

std::string SourceHashes::hash(const std::string& path, const std::string& advice) {
  const auto found = entries_.find(path);
  if (found != entries_.end() && is_kept_) return found->second.hash;
  if (found != entries_.end() && found->second.is_settled &&
      stamp_of(path) == found->second.stamp) {
    return found->second.hash;
  }
  const std::optional<Entry> entry = read(path, advice);
  if (!entry) return file_hash(path, advice);  // no regular file: throws
  entries_[path] = *entry;
  has_news_ = true;
  return entry->hash;
}

// A file that changes while it is read has another stamp afterwards, or one that is not settled.
std::optional<SourceHashes::Entry> SourceHashes::read(const std::string& path,
                                                      const std::string& advice) {
  const std::int64_t begin = now();
  const std::optional<FileStamp> stamp = stamp_of(path);
  if (!stamp) return std::nullopt;
  Entry entry{*stamp, file_hash(path, advice), false};
  ++files_read_;
  entry.is_settled = stamp->is_settled(begin) && stamp_of(path) == stamp;
  return entry;
}

bool SourceHashes::is_unchanged(const std::string& path) {
  const Entry& entry = entries_.at(path);
  if (entry.is_settled) return stamp_of(path) == entry.stamp;
  const std::optional<Entry> again = read(path, "");
  if (!again || again->hash != entry.hash) return false;
  entries_[path] = *again;
  return true;
}

void SourceHashes::save() {
  if (!has_news_) return;
  Json files = Json::object();
  for (const auto& [path, entry] : entries_) {
    if (entry.is_settled) files[path] = {{"stamp", json_of(entry.stamp)}, {"hash", entry.hash}};
  }
  const Json json = {
      {"version", record_version}, {"check", hash_text(files.dump())}, {"files", files}};
  ReplacedFile file(record_);
  file.write(json.dump(1) + "\n");
  file.put_in_place();
  has_news_ = false;
}

}  // namespace sculpt::core
