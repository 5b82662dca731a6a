#include "problem/cache/data_cache.hpp"

#include <utility>

#include "base/failure.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// What differs, as the end of a sentence.
std::string outdated_text(const Json& found, const Json& expected) {
  struct Reason {
    const char* key;
    const char* text;
  };
  constexpr Reason reasons[] = {{"sculpt", "another version of sculpt made it"},
                                {"version", "another version of the dataset made it"},
                                {"library", "another build of the dataset made it"},
                                {"state", "it belongs to another model"},
                                {"files", "the data have changed"}};
  for (const Reason& reason : reasons) {
    if (found.value(reason.key, Json()) != expected.value(reason.key, Json())) return reason.text;
  }
  return "it holds other data";
}

}  // namespace

DataCache::DataCache(const Place& place, Content content)
    : path_(place.folder / (place.name + file_end)),
      content_(std::move(content)),
      hashes_(place.folder / (place.name + ".sculpt-sources")) {}

std::string DataCache::hash(const std::string& path, const std::string& advice) {
  return hashes_.hash(path, advice);
}

Json DataCache::whole_identity() {
  Json identity = content_.identity;
  Json& files = identity["files"] = Json::object();
  for (const std::string& source : content_.sources) files[source] = hashes_.hash(source);
  return identity;
}

std::unique_ptr<CacheFile> DataCache::open() {
  auto [file, obstacle] = CacheFile::open(path_);
  obstacle_ = std::move(obstacle);
  if (file == nullptr) return nullptr;
  hashes_.reload();  // another rank may have read the sources
  const Json expected = whole_identity();
  const Json found = file->header().value("identity", Json());
  if (found == expected) return std::move(file);
  obstacle_ = found.is_object() ? outdated_text(found, expected) : "it is damaged";
  return nullptr;
}

void DataCache::make(const Fill& fill) {
  const Json identity = whole_identity();
  CacheFileWriter writer(path_);
  Json header = fill(writer);
  for (const std::string& source : content_.sources) {
    if (hashes_.is_unchanged(source)) continue;
    throw Failure(Exit::write_failed, source + ": has changed while it was read");
  }
  header["identity"] = identity;
  writer.finish(std::move(header));
}

void DataCache::save_hashes() {
  try {
    hashes_.save();
  } catch (const Failure&) {
  }
}

}  // namespace sculpt::core
