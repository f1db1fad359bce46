#include "util/run_command.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "util/process.h"

namespace mmaspec {
namespace {

namespace fs = std::filesystem;

/// A temporary folder for a program's input and output, removed at the end.
class Scratch {
 public:
  Scratch() {
    std::error_code error;
    fs::path root = fs::temp_directory_path(error);
    std::string name = (error ? fs::path("/tmp") : root) / "mmaspec-replay-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) {
      throw std::runtime_error("cannot make a folder for temporary files: " +
                               std::string(std::strerror(errno)));
    }
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  fs::path file(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

/// An open file.
class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags)
      : number_(open(path.c_str(), flags | O_CLOEXEC, S_IRUSR | S_IWUSR)) {
    if (number_ < 0) {
      throw std::runtime_error("cannot open " + path.string() + ": " + std::strerror(errno));
    }
  }
  ~Descriptor() { close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }

 private:
  int number_;
};

std::string read_whole(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

std::string last_line(const std::string& text) {
  std::istringstream in(text);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  }
  return last;
}

Finished run_command(const std::string& command, const std::string& input,
                     const std::function<void(const std::string& file)>& take,
                     const std::optional<double>& seconds) {
  const Scratch scratch;
  {
    std::ofstream in(scratch.file("in"), std::ios::binary);
    in << input;
    if (!in.flush()) {
      throw std::runtime_error("cannot write " + scratch.file("in").string() + ": " +
                               std::strerror(errno));
    }
  }
  const Descriptor in(scratch.file("in"), O_RDONLY);
  const Descriptor out(scratch.file("out"), O_WRONLY | O_CREAT);
  const Descriptor err(scratch.file("err"), O_WRONLY | O_CREAT);
  Finished finished;
  ShellCommand running(command, in.number(), out.number(), err.number());
  const std::optional<int> status = seconds ? running.wait(*seconds) : running.wait();
  if (!status) throw CommandTimeout(*seconds);
  finished.status = *status;
  finished.err = read_whole(scratch.file("err"));
  if (!take) {
    finished.out = read_whole(scratch.file("out"));
  } else if (finished.status == 0) {
    take(scratch.file("out"));
  }
  return finished;
}

}  // namespace mmaspec
