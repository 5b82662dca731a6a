#include "problem/cache/cached_dataset.hpp"

#include <sculpt/ext/host.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sculpt/cpp/error.hpp>
#include <utility>

#include "base/memory/process_memory.hpp"
#include "problem/cache/cached_columns.hpp"
#include "problem/components/dataset_rows.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// Passes the arrays of a dataset to a file.
class ArrayOutput {
 public:
  explicit ArrayOutput(CacheFileWriter& file)
      : file_(file), raw_{sizeof(sculpt_cache_output), 0, this, add} {}
  const sculpt_cache_output* raw() const { return &raw_; }
  void throw_if_failed() const {
    if (failure_) throw Failure(*failure_);
  }

 private:
  static sculpt_status add(void* context, const void* data, std::int64_t size,
                           sculpt_error* error) noexcept {
    auto& output = *static_cast<ArrayOutput*>(context);
    try {
      if (size < 0 || (data == nullptr && size > 0)) {
        sculpt::detail::write_error(error, "an array without data, or with a negative size");
        return SCULPT_E_INVALID;
      }
      output.file_.add({static_cast<const char*>(data), static_cast<std::size_t>(size)});
      return SCULPT_OK;
    } catch (const Failure& failure) {
      output.failure_ = failure;
      sculpt::detail::write_error(error, failure.what());
    } catch (const std::exception& failure) {
      output.failure_ = Failure(Exit::memory, failure.what());
    }
    return SCULPT_E_INTERNAL;
  }

  CacheFileWriter& file_;
  std::optional<Failure> failure_;
  sculpt_cache_output raw_;
};

// Writes the arrays. What the dataset cannot write is no fault of the data.
void write_arrays(const Component& dataset, CacheFileWriter& file) {
  const auto* const table = dataset.extension<sculpt_ext_cached_arrays>();
  ArrayOutput output(file);
  try {
    dataset.call("cached-arrays.write", -1, [&](sculpt_error* error) {
      return table->write(dataset.self(), output.raw(), error);
    });
  } catch (const Failure& failure) {
    output.throw_if_failed();
    if (failure.exit_code() != Exit::config) throw;
    throw Failure(Exit::write_failed, failure.what());
  }
}

bool are_whole(const Dataset& dataset, Range examples) {
  for (std::int64_t example = examples.begin; example < examples.end; ++example) {
    const sculpt_labels truth = dataset.truth(example);
    const std::int32_t* const end = truth.data == nullptr ? nullptr : truth.data + truth.size;
    if (end == nullptr) return false;
    if (std::any_of(truth.data, end, [](std::int32_t label) { return label < 0; })) return false;
  }
  return true;
}

// Makes the dataset once more, from its sources, and writes it. Returns the header. Services of its
// own keep what it logs while it loads.
Json fill_cache(CacheFileWriter& file, const CacheSources& sources, Services& services) {
  Json log = Json::array();
  bool is_loading = false;
  Services own(
      {[&](std::int32_t severity, const std::string& text) {
         if (is_loading) log.push_back({severity, text});
       },
       [&services] { return services.cancelled(); },
       [&services](const std::string& component, const std::string& phase, std::int64_t done,
                   std::int64_t total) { services.progress(component, phase, done, total); }},
      services.workers());
  if (sources.storage) own.store_in(*sources.storage);
  Component component(*sources.dataset.description, sources.dataset.parameters, own);
  component.restore(sources.dataset.state, sources.dataset.state_file);
  Dataset dataset(component, 1);
  is_loading = true;
  for (const SplitSource& source : sources.splits) {
    services.throw_if_cancelled();
    dataset.load(source);
  }
  is_loading = false;
  sculpt_bindings bindings = {};
  bindings.struct_size = sizeof bindings;
  component.bind(bindings);
  component.seal();
  require_row_magnitudes(dataset, services.workers(), services, sources.remedy);
  const bool has_state = component.offers_state();
  if (has_state) file.add(component.save());
  write_arrays(component, file);
  const Range training = dataset.split("train");
  return {{"has_state", has_state},
          {"whole_truths", are_whole(dataset, training)},
          {"columns", write_columns(columns_of(component, ExampleList(training), services), file)},
          {"log", log}};
}

// The ranks of this machine.
struct LocalRanks {
  std::int64_t number = 0;  // of this one, from 0
  std::int64_t count = 1;
};

LocalRanks local_ranks(const Ranks* ranks) {
  if (ranks == nullptr) return {};
  const std::vector<std::string>& hosts = ranks->hosts();
  const std::string& own = hosts[static_cast<std::size_t>(ranks->rank())];
  return {std::count(hosts.begin(), hosts.begin() + ranks->rank(), own),
          std::count(hosts.begin(), hosts.end(), own)};
}

class CacheSearch {
 public:
  CacheSearch(DataCache& cache, const CacheSources& sources, Services& services, Ranks* ranks)
      : cache_(cache),
        sources_(sources),
        services_(services),
        ranks_(ranks),
        local_(local_ranks(ranks)) {}

  std::unique_ptr<CachedDataset> run() {
    const bool is_first = ranks_ == nullptr || ranks_->is_first();
    const bool is_maker = local_.number == 0;
    for (bool is_damaged = false;; is_damaged = true) {
      const auto find_or_make = [&] {
        if (!is_damaged) file_ = cache_.open();
        if (file_ == nullptr) make(is_damaged ? "it is damaged" : cache_.obstacle());
      };
      // The first rank before the others, because they may share its folder.
      together("the cache", [&] {
        if (is_first) find_or_make();
      });
      together("the caches of other machines", [&] {
        if (is_maker && !is_first) find_or_make();
      });
      together("the maps of the cache", [&] {
        if (!is_maker) file_ = cache_.open();
      });
      const Finding finding = finding_of_all_ranks();
      if (finding == Finding::sound) break;
      file_.reset();
      if (finding == Finding::missing) return nullptr;
      if (!is_damaged) continue;
      warn(cache_.path().string() + ": is damaged again after it was made anew; check the disk");
      return nullptr;
    }
    cache_.keep_hashes();
    if (is_maker) cache_.save_hashes();
    return std::make_unique<CachedDataset>(std::move(file_));
  }

 private:
  void together(const char* step, const std::function<void()>& work) {
    ranks_ == nullptr ? work() : ranks_->together(step, work);
  }

  enum class Finding { sound, damaged, missing };

  // Compares the part of this rank with its checksums.
  Finding own_finding() const {
    if (file_ == nullptr) return Finding::missing;
    const bool is_sound = file_->verify(local_.number, local_.count, services_.workers()).empty();
    return is_sound ? Finding::sound : Finding::damaged;
  }
  // All ranks use a cache, or none does: what they check is divided only if all have it.
  Finding finding_of_all_ranks() {
    if (ranks_ == nullptr) return own_finding();
    static constexpr std::string_view names[] = {"", "damaged", "missing"};
    const std::vector<std::string_view>& all = ranks_->gather("the checksums of the cache", [&] {
      return names[static_cast<std::size_t>(own_finding())];
    });
    const auto has = [&](Finding finding) {
      return std::count(all.begin(), all.end(), names[static_cast<std::size_t>(finding)]) > 0;
    };
    return has(Finding::missing)   ? Finding::missing
           : has(Finding::damaged) ? Finding::damaged
                                   : Finding::sound;
  }

  // `obstacle`: why the file there is not used; "": there is none.
  void make(const std::string& obstacle) {
    const std::string path = cache_.path().string();
    if (!obstacle.empty()) note(path + ": is made anew, because " + obstacle);
    try {
      cache_.make([&](CacheFileWriter& file) { return fill_cache(file, sources_, services_); });
    } catch (const Failure& failure) {
      if (failure.exit_code() != Exit::write_failed) throw;
      return warn(std::string("no cache is made: ") + failure.what() + "; the data are read");
    }
    cache_.save_hashes();
    file_ = cache_.open();
    if (file_ != nullptr) return note(path + ": made, " + memory_text(file_->bytes()));
    warn(path + ": was made, but is not used, because " +
         (cache_.obstacle().empty() ? "it is gone" : cache_.obstacle()) + "; the data are read");
  }

  void warn(const std::string& text) { services_.log(SCULPT_LOG_WARNING, text); }
  void note(const std::string& text) { services_.log(SCULPT_LOG_INFO, "cache: " + text); }

  DataCache& cache_;
  const CacheSources& sources_;
  Services& services_;
  Ranks* const ranks_;
  const LocalRanks local_;
  std::unique_ptr<CacheFile> file_;
};

}  // namespace

std::optional<std::string> CachedDataset::state() const {
  if (!file_->header().value("has_state", false)) return std::nullopt;
  const std::span<const char> state = file_->arrays().front();
  return std::string(state.begin(), state.end());
}

void CachedDataset::read_into(Component& dataset) const {
  const auto* const table = dataset.extension<sculpt_ext_cached_arrays>();
  std::vector<sculpt_cached_array> arrays;
  for (const std::span<const char> array : file_->arrays()) {
    arrays.push_back({array.data(), std::ssize(array)});
  }
  if (file_->header().value("has_state", false)) arrays.erase(arrays.begin());
  arrays.pop_back();  // the columns
  dataset.call("cached-arrays.read", -1, [&](sculpt_error* error) {
    return table->read(dataset.self(), arrays.data(), std::ssize(arrays), error);
  });
  for (const Json& entry : file_->header().at("log")) {
    dataset.services().log(entry.at(0).get<std::int32_t>(), entry.at(1).get<std::string>());
  }
}

std::unique_ptr<CachedDataset> find_or_make(DataCache& cache, const CacheSources& sources,
                                            Services& services, Ranks* ranks) {
  return CacheSearch(cache, sources, services, ranks).run();
}

}  // namespace sculpt::core
