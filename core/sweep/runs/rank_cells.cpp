#include "sweep/runs/rank_cells.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "base/file/memory_state_reader.hpp"

namespace sculpt::core {
namespace {

constexpr const char* round_step = "cells of the sweep";

std::string get_text(StateReader& in) {
  std::string text;
  in.get_array(text);
  return text;
}

void save(const CellStart& start, StateWriter& out) {
  out.put(static_cast<std::uint64_t>(start.cell));
  out.put_array(start.log.string());
  out.put(static_cast<std::uint64_t>(start.words.size()));
  for (const std::string& word : start.words) out.put_array(word);
}

CellStart load_start(StateReader& in) {
  CellStart start;
  start.cell = static_cast<std::size_t>(in.get<std::uint64_t>());
  start.log = get_text(in);
  const std::int64_t words = in.get_count();
  for (std::int64_t k = 0; k < words; ++k) start.words.push_back(get_text(in));
  return start;
}

// What a rank tells the first one: its place, and which of its cells have ended.
void save(const PlaceState& state, const std::vector<EndedCell>& ended, StateWriter& out) {
  out.put(state.threads);
  out.put(state.free_memory);
  out.put(state.resident);
  out.put(state.largest);
  out.put(static_cast<std::uint64_t>(ended.size()));
  for (const EndedCell& one : ended) {
    out.put(static_cast<std::uint64_t>(one.cell));
    out.put(one.result.exit_code);
    out.put(one.result.peak_bytes);
  }
}

void load(StateReader& in, PlaceState& state, std::vector<EndedCell>& ended) {
  state.threads = in.get<int>();
  state.free_memory = in.get<std::int64_t>();
  state.resident = in.get<std::int64_t>();
  state.largest = in.get<std::int64_t>();
  const std::int64_t count = in.get_count();
  for (std::int64_t k = 0; k < count; ++k) {
    const auto cell = static_cast<std::size_t>(in.get<std::uint64_t>());
    const int exit_code = in.get<int>();
    ended.push_back({cell, {exit_code, in.get<std::int64_t>()}});
  }
}

}  // namespace

RankCells::RankCells(Ranks& ranks, ThreadsOf threads_of)
    : ranks_(ranks),
      threads_of_(std::move(threads_of)),
      own_(1),
      starts_(static_cast<std::size_t>(ranks.count())),
      states_(static_cast<std::size_t>(ranks.count())) {}

void RankCells::begin(std::int64_t wanted) {
  wanted_threads_ = wanted;
  own_.set_threads(threads_of_(wanted));
  run_round();  // tells the others
  run_round();  // their answers
}

void RankCells::end(const Failure* failure) {
  ranks_.gather(round_step, [&] { return message(true, failure); });
}

PlaceState RankCells::state(std::size_t place) {
  PlaceState state = place == 0 ? own_.state(0) : states_[place];
  state.machine = machine_of(place);
  return state;
}

// The first place on the same host.
int RankCells::machine_of(std::size_t place) const {
  const std::vector<std::string>& hosts = ranks_.hosts();
  return static_cast<int>(std::find(hosts.begin(), hosts.end(), hosts[place]) - hosts.begin());
}

void RankCells::start(std::size_t place, const CellStart& start) {
  if (place == 0) return own_.start(0, start);
  starts_[place].push_back(start);
}

void RankCells::request_stop() {
  is_stopping_ = true;
  own_.request_stop();
}

std::vector<EndedCell> RankCells::poll() {
  run_round();
  std::vector<EndedCell> ended = own_.poll();
  ended.insert(ended.end(), ended_.begin(), ended_.end());
  ended_.clear();
  return ended;
}

void RankCells::run_round() {
  const std::vector<std::string_view>& all =
      ranks_.gather(round_step, [&] { return message(false, nullptr); });
  for (std::vector<CellStart>& starts : starts_) starts.clear();
  for (std::size_t place = 1; place < states_.size(); ++place) {
    ViewStateReader in(all[place]);
    load(in, states_[place], ended_);
  }
}

// What the first rank tells the others.
std::string_view RankCells::message(bool is_last, const Failure* failure) {
  StateBuffer out;
  out.put(static_cast<std::uint8_t>(is_last));
  out.put(static_cast<std::int32_t>(failure == nullptr ? Exit::reached : failure->exit_code()));
  out.put_array(failure == nullptr ? std::string() : failure->text_in_one_line());
  out.put(wanted_threads_);
  out.put(static_cast<std::uint8_t>(is_stopping_));
  for (const std::vector<CellStart>& starts : starts_) {
    out.put(static_cast<std::uint64_t>(starts.size()));
    for (const CellStart& start : starts) save(start, out);
  }
  message_ = out.bytes();
  return message_;
}

namespace {

// The cells of a rank that is not the first.
class CellServer {
 public:
  CellServer(Ranks& ranks, const ThreadsOf& threads_of) : ranks_(ranks), threads_of_(threads_of) {}

  // One round. Returns false after the last one.
  bool run_round() {
    std::string own;
    const std::vector<std::string_view>& all = ranks_.gather(round_step, [&] {
      StateBuffer out;
      const std::vector<EndedCell> ended = cells_.poll();
      save(cells_.state(0), ended, out);
      own = out.bytes();
      return std::string_view(own);
    });
    ViewStateReader in(all.front());
    const bool is_last = in.get_flag();
    const auto exit = static_cast<Exit>(in.get<std::int32_t>());
    const std::string text = get_text(in);
    if (exit != Exit::reached) throw Failure(exit, text);
    if (!is_last) follow(in);
    return !is_last;
  }

 private:
  void follow(StateReader& in) {
    cells_.set_threads(threads_of_(in.get<std::int64_t>()));
    const bool stops = in.get_flag();
    if (stops && !is_stopping_) cells_.request_stop();  // once: a second signal ends them at once
    is_stopping_ = stops;
    for (int rank = 0; rank < ranks_.count(); ++rank) {
      const std::int64_t count = in.get_count();
      for (std::int64_t k = 0; k < count; ++k) {
        const CellStart start = load_start(in);
        if (rank == ranks_.rank()) cells_.start(0, start);
      }
    }
  }

  Ranks& ranks_;
  const ThreadsOf& threads_of_;
  OwnCells cells_{1};
  bool is_stopping_ = false;
};

}  // namespace

void serve_cells(Ranks& ranks, const ThreadsOf& threads_of) {
  CellServer server(ranks, threads_of);
  while (server.run_round()) std::this_thread::sleep_for(CellProcess::poll_every);
}

}  // namespace sculpt::core
