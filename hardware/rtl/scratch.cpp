#include "hardware/rtl/scratch.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "util/file.h"

namespace mmaspec::rtl {

namespace fs = std::filesystem;

Scratch::Scratch() {
  std::error_code error;
  fs::path root = fs::temp_directory_path(error);
  if (error) root = "/tmp";
  // YoWASP has a /tmp of its own.
  if (root == "/tmp" && access("/var/tmp", W_OK | X_OK) == 0) root = "/var/tmp";
  std::string name = root / "mmaspec-rtl-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error("cannot make a folder for temporary files: " +
                             std::string(std::strerror(errno)));
  }
  path_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void Scratch::write(const std::string& name, const std::string& content) const {
  write_file(path_ + "/" + name, content);
}

std::string Scratch::read(const std::string& name) const {
  std::ifstream in(path_ + "/" + name, std::ios::binary);
  if (!in) throw std::runtime_error("there is no " + path_ + "/" + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace mmaspec::rtl
