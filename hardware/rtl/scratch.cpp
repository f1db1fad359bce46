#include "hardware/rtl/scratch.h"

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
  const fs::path root = fs::temp_directory_path(error);
  std::string name = (error ? fs::path("/tmp") : root) / "mmaspec-rtl-XXXXXX";
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
