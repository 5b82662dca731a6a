#include "command/host_process.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <utility>

namespace sculpt::test {
namespace {

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

[[noreturn]] void execute(const std::vector<std::string>& words, const fs::path& folder,
                          const std::map<std::string, std::string>& environment,
                          const fs::path& out, const fs::path& err) {
  for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
  // nohup(1) or a shell in the background may have started the tests with signals ignored.
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_DFL);
  const int output = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int errors = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  if (::chdir(folder.c_str()) != 0) ::_exit(126);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

// A folder in memory if it has enough room, because durable writes to a disk are slow.
fs::path parent_of_scratch_folders() {
  const fs::path memory = "/dev/shm";
  std::error_code ignored;
  const fs::space_info space = fs::space(memory, ignored);
  const bool fits = !ignored && space.available >= std::uintmax_t{1} << 30;
  return std::getenv("TMPDIR") == nullptr && fits && ::access(memory.c_str(), W_OK) == 0
             ? memory
             : fs::temp_directory_path();
}

}  // namespace

Scratch::Scratch() {
  std::string pattern = (parent_of_scratch_folders() / "sculpt-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch folder");
  folder_ = pattern;
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Scratch::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
}

std::string Scratch::read(const std::string& name) const {
  return read_file(folder_ / name);
}

Process::Process(int id, fs::path out, fs::path err)
    : id_(id), out_(std::move(out)), err_(std::move(err)) {}

Process::Process(Process&& other) noexcept
    : id_(std::exchange(other.id_, -1)),
      status_(other.status_),
      ended_(other.ended_),
      out_(std::move(other.out_)),
      err_(std::move(other.err_)) {}

Process::~Process() {
  if (id_ < 0) return;
  if (!ended_) ::kill(id_, SIGKILL);
  wait();
}

void Process::signal(int number) const {
  if (!ended_) ::kill(id_, number);
}

void Process::limit_address_space(std::int64_t more) const {
  std::int64_t pages = 0;
  std::ifstream("/proc/" + std::to_string(id_) + "/statm") >> pages;
  const auto bytes = static_cast<rlim_t>(pages * ::sysconf(_SC_PAGESIZE) + more);
  const rlimit limit{bytes, bytes};
  ::prlimit(id_, RLIMIT_AS, &limit, nullptr);
}

bool Process::running() {
  if (!ended_) ended_ = ::waitpid(id_, &status_, WNOHANG) == id_;
  return !ended_;
}

Outcome Process::wait() {
  if (!ended_) ::waitpid(id_, &status_, 0);
  id_ = -1;
  Outcome outcome{WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_),
                  read_file(out_), read_file(err_)};
  std::error_code ignored;
  fs::remove(out_, ignored);
  fs::remove(err_, ignored);
  return outcome;
}

Process Scratch::launch(const std::vector<std::string>& words,
                        const std::map<std::string, std::string>& environment) const {
  static int count = 0;
  const std::string stem = folder_.string() + "." + std::to_string(++count);
  const fs::path out = stem + ".out";
  const fs::path err = stem + ".err";
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) execute(words, folder_, environment, out, err);
  return {child, out, err};
}

Outcome Scratch::run(const std::vector<std::string>& words,
                     const std::map<std::string, std::string>& environment) const {
  return launch(words, environment).wait();
}

Process Scratch::start(const std::vector<std::string>& words) const {
  std::vector<std::string> all{SCULPT_TEST_BINARY};
  all.insert(all.end(), words.begin(), words.end());
  return launch(all, {});
}

bool Scratch::wait_for_event(Process& process, const std::string& run_folder,
                             const std::string& event) const {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (std::chrono::steady_clock::now() < end && process.running()) {
    const std::string events = read(run_folder + "/events.jsonl");
    if (events.find("\"event\":\"" + event + "\"") != std::string::npos) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

Outcome Scratch::sculpt(const std::vector<std::string>& words,
                        const std::map<std::string, std::string>& environment) const {
  std::vector<std::string> all{SCULPT_TEST_BINARY};
  all.insert(all.end(), words.begin(), words.end());
  return run(all, environment);
}

Outcome Scratch::sculpt_in_time(const std::vector<std::string>& words,
                                const std::map<std::string, std::string>& environment) const {
  std::vector<std::string> all{"timeout", "-s", "KILL", "60", SCULPT_TEST_BINARY};
  all.insert(all.end(), words.begin(), words.end());
  return run(all, environment);
}

Json Scratch::started(const std::string& run_folder) const {
  const std::string events = read(run_folder + "/events.jsonl");
  return Json::parse(events.substr(0, events.find('\n')));
}

Json Scratch::finished(const std::string& run_folder) const {
  const std::string events = read(run_folder + "/events.jsonl");
  const std::size_t end = events.find_last_not_of('\n');
  const std::size_t begin = events.rfind('\n', end);
  return Json::parse(events.substr(begin == std::string::npos ? 0 : begin + 1, end - begin));
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void check_refused(const Scratch& scratch, const Outcome& outcome, int exit,
                   const std::vector<std::string>& texts) {
  INFO(outcome.err);
  CHECK(outcome.exit == exit);
  CHECK(outcome.out.empty());
  for (const std::string& text : texts) {
    CAPTURE(text);
    CHECK(outcome.err.find(text) != std::string::npos);
  }
  CHECK_FALSE(fs::exists(scratch / "runs"));
}

std::vector<double> weights_of(const std::string& model) {
  std::uint64_t header_size = 0;
  std::memcpy(&header_size, model.data() + 8, sizeof header_size);
  const Json array = Json::parse(model.substr(16, header_size))["arrays"]["weights"];
  std::vector<double> weights(array["shape"][0].get<std::size_t>());
  std::memcpy(weights.data(), model.data() + array["offset"].get<std::size_t>(),
              weights.size() * sizeof(double));
  return weights;
}

std::vector<std::string> with_test_plugins(std::vector<std::string> words) {
  words.insert(words.end(), {"--set", "plugin_path=[\"" SCULPT_TEST_PLUGINS "\"]"});
  return words;
}

std::optional<std::string> shared_data(const std::string& name) {
  const char* variable = std::getenv("SCULPT_DATA");
  const fs::path folder = variable != nullptr && *variable != '\0'
                              ? fs::path(variable)
                              : fs::path(SCULPT_TEST_SOURCE) / "../shared/data";
  if (fs::exists(folder / name)) return (folder / name).lexically_normal().string();
  std::cout << "SKIPPED: " << name << " is not below " << folder.lexically_normal().string()
            << "; set SCULPT_DATA to the folder of the data sets\n";
  return std::nullopt;
}

void write_small_experiment(const Scratch& scratch) {
  // word fold position letter more inputs
  scratch.write("words.txt",
                "1 0 0 a 1 1 0 0\n1 0 1 b 0 0 1 0\n"
                "2 0 0 b 1 0 1 1\n2 0 1 a 1 1 0 1\n2 0 2 b 0 0 1 0\n"
                "3 1 0 a 1 1 1 0\n3 1 1 a 0 1 0 0\n"
                "4 1 0 b 1 0 1 0\n4 1 1 b 0 1 1 1\n");
  scratch.write("small.json",
                "{\n"
                "  \"dataset\": {\"use\": \"letters\", \"train\": \"words.txt\",\n"
                "              \"train_folds\": [0], \"test_folds\": [1]},\n"
                "  \"features\": \"chain\",\n"
                "  \"loss\": \"hamming\",\n"
                "  \"oracle\": \"viterbi\",\n"
                "  \"solver\": {\"use\": \"n_slack\", \"C\": 10}\n"
                "}\n");
}

Outcome train_small(const Scratch& scratch, std::vector<std::string> words) {
  words.insert(words.begin(), {"train", "small.json", "--output", "run"});
  Outcome outcome = scratch.sculpt(words);
  INFO(outcome.err);
  REQUIRE((outcome.exit == 0 || outcome.exit == 3));
  return outcome;
}

Outcome train_with_test_plugins(const Scratch& scratch, const std::vector<std::string>& sets,
                                const std::vector<std::string>& more) {
  write_small_experiment(scratch);
  std::vector<std::string> words{"train", "small.json", "--output", "run"};
  words.insert(words.end(), more.begin(), more.end());
  for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
  return scratch.sculpt(with_test_plugins(words));
}

}  // namespace sculpt::test
