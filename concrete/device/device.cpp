// Opens a device by name, and formats error messages.
#include "concrete/device/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

#include "util/counted.h"

namespace mmaspec::device {

std::shared_ptr<Device> open_device(const std::string& name) {
  const std::size_t colon = std::min(name.find(':'), name.size());
  const std::string kind = name.substr(0, colon);
  std::size_t number = 0;
  bool is_number = colon == name.size();
  if (!is_number) {
    const char* const end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + colon + 1, end, number);
    is_number = parsed.ec == std::errc() && parsed.ptr == end;
  }
  if (is_number && kind == "cuda") return open_cuda(number);
  if (is_number && kind == "opencl") return open_opencl(number);
  throw std::invalid_argument(
      fmt::format("device '{}': expected cuda, cuda:N, opencl or opencl:N", name.substr(0, 60)));
}

std::string first_error(const std::string& log) {
  std::istringstream lines(log);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (first.empty()) first = line;
    if (line.find("error") != std::string::npos) return line;
  }
  return first.empty() ? "the compiler printed no message" : first;
}

std::invalid_argument no_such_device(const char* kind, std::size_t number, std::size_t count) {
  return std::invalid_argument(count == 0 ? fmt::format("{}: no device was found", kind)
                                          : fmt::format("{}:{}: there {} {}, numbered from 0", kind,
                                                        number, count == 1 ? "is" : "are",
                                                        counted(count, "device")));
}

}  // namespace mmaspec::device
