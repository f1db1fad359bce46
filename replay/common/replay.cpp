#include "replay/common/replay.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <stdexcept>
#include <vector>

#include "replay/common/rows.h"

namespace mmaspec::replay {
namespace {

/// The rows of one instruction in a batch, in the batch's order.
struct Group {
  std::vector<std::uint32_t> words;
  std::vector<std::size_t> rows;
};

class Batch {
 public:
  Batch(Device& device, std::size_t& line_number) : device_(device), line_number_(line_number) {}

  /// `text` holds whole lines. The answer is good until the next call.
  std::string_view answer(std::string_view text) {
    rows_.clear();
    instructions_.clear();
    for (auto& [instruction, group] : groups_) {
      group.words.clear();
      group.rows.clear();
    }
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      add(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    results_.assign(rows_.size(), Result{});
    std::map<int, std::string> lacks;
    for (auto& [instruction, group] : groups_) {
      if (!group.rows.empty()) lacks[instruction] = run(instruction, group);
    }
    write(lacks);
    return out_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError{"line " + std::to_string(line_number_) + ": " + what};
  }

  void add(std::string_view line) {
    ++line_number_;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    Row row;
    if (std::string problem = scan_row(line, row); !problem.empty()) fail(problem);
    if (row.instr != last_name_ || rows_.empty()) {
      last_instruction_ = device_.find(row.instr);
      last_name_ = row.instr;
    }
    if (last_instruction_ == -1) {
      fail("unknown instruction '" + std::string(row.instr) + "' (--list shows the known ones)");
    }
    if (last_instruction_ >= 0) {
      const OperandLayout& layout = device_.layout(last_instruction_);
      Group& group = groups_[last_instruction_];
      const auto width = static_cast<std::size_t>(layout.words());
      group.words.resize(group.words.size() + width);
      std::string problem = pack_row(row, layout, group.words.data() + group.words.size() - width);
      if (!problem.empty()) fail(std::string(row.instr) + ": " + problem);
      group.rows.push_back(rows_.size());
    }
    rows_.push_back(row);
    instructions_.push_back(last_instruction_);
  }

  std::string run(int instruction, Group& group) {
    std::vector<Result> results(group.rows.size());
    std::string lacks =
        device_.run(instruction, group.words.data(), group.rows.size(), results.data());
    for (std::size_t i = 0; i < results.size(); ++i) results_[group.rows[i]] = results[i];
    return lacks;
  }

  void write(const std::map<int, std::string>& lacks) {
    out_.clear();
    std::string members;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const int instruction = instructions_[i];
      members.clear();
      if (instruction < 0) {
        members = "\"lacks\":\"an instruction of another vendor\"";
      } else if (const std::string& reason = lacks.at(instruction); !reason.empty()) {
        members = "\"lacks\":" + json_string(reason);
      } else {
        const Result& result = results_[i];
        if (result.state != Result::good && result.state != Result::uneven) {
          throw std::runtime_error("the device left a result of " + std::string(rows_[i].instr) +
                                   " unwritten");
        }
        members = "\"d\":\"";
        append_hex(result.bits, device_.layout(instruction).d_bits, members);
        members += result.state == Result::uneven ? "\",\"uneven\":true" : "\"";
      }
      append_answered(rows_[i], members, out_);
    }
  }

  Device& device_;
  std::size_t& line_number_;
  std::vector<Row> rows_;
  std::vector<int> instructions_;
  std::vector<Result> results_;
  std::map<int, Group> groups_;  // kept from batch to batch for their memory
  std::string out_;
  std::string_view last_name_;
  int last_instruction_ = -1;
};

void write_all(int out, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(out, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw std::runtime_error(std::string("cannot write: ") + std::strerror(errno));
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Whether more input is there within a moment. The end of the input counts as input.
bool more_is_waiting(int in) {
  pollfd waiting{in, POLLIN, 0};
  return ::poll(&waiting, 1, 2) > 0;
}

}  // namespace

void replay(int in, int out, Device& device, std::size_t batch_bytes) {
  write_all(out, device.header() + "\n");
  std::size_t line_number = 0;
  Batch batch(device, line_number);
  std::string buffer;  // what is read and not yet answered
  std::size_t used = 0;
  for (bool open = true; open;) {
    constexpr std::size_t piece = std::size_t{1} << 20;
    if (buffer.size() < used + piece) buffer.resize(std::max(buffer.size() * 2, used + piece));
    const ssize_t got = ::read(in, buffer.data() + used, buffer.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw std::runtime_error(std::string("cannot read: ") + std::strerror(errno));
    used += static_cast<std::size_t>(got);
    open = got > 0;
    if (open && used < batch_bytes && more_is_waiting(in)) continue;

    const std::string_view text(buffer.data(), used);
    const std::size_t last_newline = text.rfind('\n');
    const std::size_t whole = !open                                    ? used
                              : last_newline == std::string_view::npos ? 0
                                                                       : last_newline + 1;
    write_all(out, batch.answer(text.substr(0, whole)));
    std::memmove(buffer.data(), buffer.data() + whole, used - whole);
    used -= whole;
  }
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
      out += escaped;
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace mmaspec::replay
