#include "hardware/replay/device/common/replay.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <stdexcept>
#include <vector>

#include "concrete/rows/drawn_rows.h"
#include "hardware/replay/device/common/rows.h"

namespace mmaspec::replay {
namespace {

void write_all(int out, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(out, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw std::runtime_error(std::string("cannot write: ") + std::strerror(errno));
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// The rows of one instruction in a batch, in the batch's order.
struct Group {
  std::vector<std::uint32_t> words;
  std::vector<std::size_t> rows;
};

/// Answers the rows of the input in order: rows given as text all at once, drawn rows in parts.
class Batch {
 public:
  Batch(Device& device, int out) : device_(device), out_(out) {}

  /// `text` contains complete lines.
  void answer(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      add(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    flush();
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
    if (row.drawn.data()) {
      const int instruction = last_instruction_;
      flush();
      answer_drawn(row, instruction);
      return;
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

  /// Computes the added rows and writes their answers.
  void flush() {
    results_.assign(rows_.size(), Result{});
    std::map<int, std::string> lacks;
    for (auto& [instruction, group] : groups_) {
      if (!group.rows.empty()) lacks[instruction] = run(instruction, group);
      group.words.clear();
      group.rows.clear();
    }
    write(lacks);
    rows_.clear();
    instructions_.clear();
  }

  std::string run(int instruction, Group& group) {
    std::vector<Result> results(group.rows.size());
    std::string lacks =
        device_.run(instruction, group.words.data(), group.rows.size(), results.data());
    for (std::size_t i = 0; i < results.size(); ++i) results_[group.rows[i]] = results[i];
    return lacks;
  }

  void write(const std::map<int, std::string>& lacks) {
    text_.clear();
    std::string members;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const int instruction = instructions_[i];
      if (instruction < 0) {
        members = kForeign;
      } else if (const std::string& reason = lacks.at(instruction); !reason.empty()) {
        members = "\"lacks\":" + json_string(reason);
      } else {
        members = "\"d\":\"";
        append_result(rows_[i], results_[i], device_.layout(instruction).d_bits, members);
        members += results_[i].state == Result::uneven ? "\",\"uneven\":true" : "\"";
      }
      append_answered(rows_[i], members, text_);
    }
    write_all(out_, text_);
  }

  static void append_result(const Row& row, const Result& result, int bits, std::string& out) {
    if (result.state != Result::good && result.state != Result::uneven) {
      throw std::runtime_error("the device did not write a result of " + std::string(row.instr) +
                               "");
    }
    append_hex(result.bits, bits, out);
  }

  /// Draws the rows that a line of the input requests. `first`, if present, belongs to an earlier
  /// answer.
  void answer_drawn(const Row& row, int instruction) {
    if (row.first.data() && row.first != "0") return;  // the line with row 0 has requested all
    std::uint64_t count = 0;
    std::uint64_t seed = 0;
    if (!drawn::parse(row.drawn, count)) fail("drawn: expected a number of rows");
    if (!drawn::parse(row.seed, seed)) fail("seed: expected a number");
    drawn::Shape a, b, c;
    if (!drawn::parse(row.a, a) || !drawn::parse(row.b, b) || !drawn::parse(row.c, c)) {
      fail("a, b, c of drawn rows are formats such as e5m10");
    }
    if (instruction < 0) return write_drawn(row, kForeign);
    const OperandLayout& layout = device_.layout(instruction);
    if (layout.scales > 0)
      fail(std::string(row.instr) + ": random rows with scale factors are not supported");
    if (a.bits() != layout.a.bits || b.bits() != layout.b.bits || c.bits() != layout.c_bits) {
      fail(std::string(row.instr) + ": a, b, c have " + std::to_string(layout.a.bits) + ", " +
           std::to_string(layout.b.bits) + ", " + std::to_string(layout.c_bits) + " bits");
    }
    drawn::Rows rows(layout.k, a, b, c, seed);
    for (std::uint64_t first = 0; first < count; first += kDrawnAtOnce) {
      const std::string lacks =
          run_drawn(rows, instruction, first, std::min(kDrawnAtOnce, count - first));
      if (!lacks.empty()) return write_drawn(row, "\"lacks\":" + json_string(lacks));
      for (std::size_t from = 0; from < results_.size(); from += kDrawnInALine) {
        write_drawn(row, drawn_members(row, first, from, layout.d_bits));
      }
    }
  }

  std::string run_drawn(drawn::Rows& rows, int instruction, std::uint64_t first,
                        std::uint64_t count) {
    const OperandLayout& layout = device_.layout(instruction);
    std::vector<std::uint64_t> values(2 * static_cast<std::size_t>(layout.k));
    std::uint64_t* const b = values.data() + layout.k;
    const auto width = static_cast<std::size_t>(layout.words());
    drawn_words_.resize(count * width);
    for (std::uint64_t i = 0; i < count; ++i) {
      std::uint64_t c = 0;
      rows.draw(first + i, values.data(), b, c);
      pack_values(values.data(), b, c, layout, drawn_words_.data() + i * width);
    }
    results_.assign(count, Result{});
    return device_.run(instruction, drawn_words_.data(), count, results_.data());
  }

  /// The answers to the results from index `from` on; result 0 is that of row `first`.
  std::string drawn_members(const Row& row, std::uint64_t first, std::size_t from, int bits) const {
    std::string members = "\"first\":\"" + std::to_string(first + from) + "\",\"d\":\"";
    std::string uneven;
    const std::size_t end = std::min(from + kDrawnInALine, results_.size());
    for (std::size_t i = from; i < end; ++i) {
      if (i > from) members += ' ';
      append_result(row, results_[i], bits, members);
      if (results_[i].state == Result::uneven) {
        uneven += (uneven.empty() ? "" : " ") + std::to_string(first + i);
      }
    }
    return members + (uneven.empty() ? "\"" : "\",\"uneven\":\"" + uneven + "\"");
  }

  void write_drawn(const Row& row, const std::string& members) {
    text_.clear();
    append_answered(row, members, text_);
    write_all(out_, text_);
  }

  static constexpr const char* kForeign = "\"lacks\":\"an instruction of another vendor\"";
  static constexpr std::uint64_t kDrawnAtOnce = std::uint64_t{1} << 16;
  static constexpr std::size_t kDrawnInALine = std::size_t{1} << 12;

  Device& device_;
  int out_;
  std::size_t line_number_ = 0;
  std::vector<Row> rows_;
  std::vector<int> instructions_;
  std::vector<Result> results_;
  std::map<int, Group> groups_;  // reused between batches for their memory
  std::vector<std::uint32_t> drawn_words_;
  std::string text_;
  std::string_view last_name_;
  int last_instruction_ = -1;
};

/// Whether more input arrives within a short time. The end of the input counts as input.
bool more_is_waiting(int in) {
  pollfd waiting{in, POLLIN, 0};
  return ::poll(&waiting, 1, 2) > 0;
}

}  // namespace

void replay(int in, int out, Device& device, std::size_t batch_bytes) {
  write_all(out, device.header() + "\n");
  Batch batch(device, out);
  std::string buffer;  // text that was read but not answered yet
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
    batch.answer(text.substr(0, whole));
    std::memmove(buffer.data(), buffer.data() + whole, used - whole);
    used -= whole;
  }
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> escaped{};
      std::snprintf(escaped.data(), escaped.size(), "\\u%04x", static_cast<unsigned>(c));
      out += escaped.data();
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace mmaspec::replay
