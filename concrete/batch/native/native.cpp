#include "concrete/batch/native/native.h"

#include <algorithm>

#if defined(MMASPEC_NATIVE)
#include "concrete/batch/native/steps.h"
#endif

namespace mmaspec::batch {

const Native* LateNative::next(std::size_t blocks) {
  const auto wanted = static_cast<std::ptrdiff_t>(blocks);
  // Read first, so that threads that run the same program no longer write to a shared counter when
  // it has reached zero.
  if (blocks_left_ > 0 && blocks_left_.fetch_sub(wanted) > wanted) return nullptr;
  std::call_once(made_, [&] {
    native_ = Native::make(draft_, held_steps_, inputs_, roots_);
    draft_ = {};
  });
  return native_.get();
}

#if !defined(MMASPEC_NATIVE)

bool Native::is_there() { return false; }

std::unique_ptr<const Native> Native::make(const Draft&, std::size_t, std::size_t, std::size_t) {
  return nullptr;
}

#else

namespace {

/// A row of inputs: lane i is at `words` + (8 i and `mask`) bytes.
struct Row {
  const std::uint64_t* words;
  std::uint64_t mask;  ///< all ones; or 0: every group of 16 lanes equals the first group
};

/// The arguments of machine code, in the order in which it reads them.
struct Call {
  const std::uint8_t* constants;
  const Row* inputs;
  std::uint64_t* const* results;
  std::byte* spilled;
  std::byte* held;  ///< of the first 16 lanes
  std::uint64_t* violations;
  std::uint64_t first;  ///< lane times 8: a multiple of 128
  std::uint64_t end;    ///< the same; not included
};

using Function = void (*)(const Call*);

/// Space for instructions; a program that needs more for each step uses the kernels.
constexpr std::size_t kBytesPerStep = 512;
/// Longer programs use the kernels: their code would not stay in a cache, and the depth of the
/// scheduler's recursion grows with their length.
constexpr std::size_t kMostSteps = 10000;
constexpr std::size_t kAlignment = 64;

std::uint32_t offset_of(std::size_t field) { return static_cast<std::uint32_t>(8 * field); }

/// Orders steps to shorten the time that values occupy registers: each step comes right before the
/// first step that needs it, or as early as possible if it frees at least as many registers as it
/// takes. The held steps keep their order.
class Scheduler {
 public:
  Scheduler(Draft& draft, std::size_t held_steps)
      : draft_(draft),
        first_(held_steps),
        made_by_(draft.registers.size(), kNone),
        users_(draft.registers.size()),
        uses_left_(draft.registers.size(), 0),
        is_there_(draft.steps.size(), false) {
    for (std::size_t i = first_; i < draft.steps.size(); ++i) {
      const DraftStep& step = draft.steps[i];
      if (!step.keeps) made_by_[step.out] = i;
      for (const Register r : step.in) {
        users_[r].push_back(i);
        ++uses_left_[r];
      }
    }
    std::fill_n(is_there_.begin(), first_, true);
  }

  void run() {
    for (std::size_t i = first_; i < draft_.steps.size(); ++i) {
      if (draft_.steps[i].keeps) put(i);
    }
    std::vector<DraftStep> steps(draft_.steps.begin(),
                                 draft_.steps.begin() + static_cast<std::ptrdiff_t>(first_));
    for (const std::size_t i : order_) steps.push_back(std::move(draft_.steps[i]));
    draft_.steps = std::move(steps);
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  bool is_made(Register r) const { return made_by_[r] == kNone || is_there_[made_by_[r]]; }

  void put(std::size_t i) {
    if (is_there_[i]) return;
    for (const Register r : draft_.steps[i].in) {
      if (!is_made(r)) put(made_by_[r]);
    }
    if (is_there_[i]) return;  // a step that it needs has added it
    is_there_[i] = true;
    order_.push_back(i);
    for (const Register r : draft_.steps[i].in) --uses_left_[r];
    if (draft_.steps[i].keeps) return;
    for (const std::size_t user : users_[draft_.steps[i].out]) {
      if (!is_there_[user] && can_follow(draft_.steps[user])) put(user);
    }
  }

  bool can_follow(const DraftStep& step) const {
    if (step.keeps) return false;
    unsigned freed = 0;
    for (const Register r : step.in) {
      if (!is_made(r)) return false;
      const bool dies = made_by_[r] != kNone && uses_left_[r] == 1;
      if (dies) freed += parts_of(draft_.registers[r].type);
    }
    return freed >= parts_of(draft_.registers[step.out].type);
  }

  Draft& draft_;
  std::size_t first_;
  std::vector<std::size_t> made_by_;             ///< indexed by register: a step
  std::vector<std::vector<std::size_t>> users_;  ///< indexed by register: steps
  std::vector<std::size_t> uses_left_;           ///< indexed by register
  std::vector<bool> is_there_;                   ///< indexed by step
  std::vector<std::size_t> order_;
};

/// The memory of a program: code and constants.
class MachineCode final : public Native {
 public:
  MachineCode(const Draft& draft, std::size_t held_steps, std::size_t inputs, std::size_t roots)
      : inputs_(inputs), roots_(roots), code_(kBytesPerStep * (draft.steps.size() + 8)) {
    const std::vector<Register> held = kept(draft, held_steps);
    for (const Register r : held) {
      held_at_.emplace_back(r, held_bytes_);
      held_bytes_ += parts_of(draft.registers[r].type) * kVectorBytes;
    }
    NativeConstants constants;
    if (held_steps > 0) held_ = function(draft, 0, held_steps, constants);
    main_ = function(draft, held_steps, draft.steps.size(), constants);
    code_.align(kAlignment);
    constants_ = code_.getCurr();
    for (const std::uint64_t word : constants.words()) code_.dq(word);
    code_.setProtectModeRE();
  }

  std::size_t bytes() const override {
    return spilled_bytes_ + (kLanes / kNativeLanes) * held_bytes_ + kAlignment;
  }

  void run(const Frame& frame, bool same_held) const override {
    std::vector<Row> rows(inputs_);
    std::vector<std::uint64_t> padded(inputs_ * kNativeLanes);
    for (std::size_t i = 0; i < inputs_; ++i) {
      rows[i] = {frame.inputs[i], ~std::uint64_t{0}};
      if (frame.uniform == nullptr || !frame.uniform[i]) continue;
      std::uint64_t* row = padded.data() + i * kNativeLanes;
      std::fill_n(row, kNativeLanes, frame.inputs[i][0]);
      rows[i] = {row, 0};
    }
    const std::size_t whole = frame.lanes / kNativeLanes * kNativeLanes;
    Call call{constants_,
              rows.data(),
              frame.results,
              frame.registers,
              frame.registers + spilled_bytes_,
              frame.violations,
              0,
              8 * whole};
    if (whole > 0) run(call, same_held);
    if (whole == frame.lanes) return;
    // The remaining lanes, filled up with copies of the first of them; their results go to a buffer
    // with space for a whole group.
    std::vector<std::uint64_t> out(roots_ * kNativeLanes);
    std::vector<std::uint64_t*> results(roots_);
    for (std::size_t i = 0; i < inputs_; ++i) {
      if (rows[i].mask == 0) continue;
      std::uint64_t* row = padded.data() + i * kNativeLanes;
      for (std::size_t k = 0; k < kNativeLanes; ++k) {
        row[k] = frame.inputs[i][whole + k < frame.lanes ? whole + k : whole];
      }
      rows[i] = {row, 0};
    }
    for (std::size_t r = 0; r < roots_; ++r) results[r] = out.data() + r * kNativeLanes;
    call.results = results.data();
    call.held += whole / kNativeLanes * held_bytes_;
    call.end = 8 * kNativeLanes;
    run(call, same_held);
    for (std::size_t r = 0; r < roots_; ++r) {
      std::copy_n(results[r], frame.lanes - whole, frame.results[r] + whole);
    }
  }

 private:
  void run(const Call& call, bool same_held) const {
    if (held_ != nullptr && !same_held) held_(&call);
    main_(&call);
  }

  /// Results of the held steps that other steps need.
  static std::vector<Register> kept(const Draft& draft, std::size_t held_steps) {
    std::vector<bool> is_needed(draft.registers.size(), false);
    for (std::size_t i = held_steps; i < draft.steps.size(); ++i) {
      for (const Register r : draft.steps[i].in) is_needed[r] = true;
    }
    std::vector<Register> all;
    for (std::size_t i = 0; i < held_steps; ++i) {
      const Register r = draft.steps[i].out;
      if (is_needed[r]) all.push_back(r);
    }
    return all;
  }

  /// A loop over 16 lanes at a time.
  Function function(const Draft& draft, std::size_t first, std::size_t last,
                    NativeConstants& constants) {
    using Xbyak::util::ptr;
    code_.align(kAlignment);
    const auto* start = code_.getCurr();
    NativeValues values(code_, draft, first, last);
    NativeSteps steps(code_, draft, values, constants);
    for (Register r = 0; r < draft.registers.size(); ++r) {
      const DraftRegister& constant = draft.registers[r];
      if (constant.value.empty()) continue;
      const unsigned width = constant.type == Type::i64 ? 64 : constant.type == Type::i32 ? 32 : 16;
      values.set_home(r, NativeConstants::base(), constants.at(width, constant.value[0]));
    }
    for (const auto& [r, at] : held_at_) values.set_home(r, code_.rsi, at);
    code_.push(code_.rbx);
    code_.mov(code_.r8, ptr[code_.rdi + offset_of(1)]);
    code_.mov(code_.r9, ptr[code_.rdi + offset_of(2)]);
    code_.mov(code_.r10, ptr[code_.rdi + offset_of(3)]);
    code_.mov(code_.rsi, ptr[code_.rdi + offset_of(4)]);
    code_.mov(code_.r11, ptr[code_.rdi + offset_of(5)]);
    code_.mov(code_.rcx, ptr[code_.rdi + offset_of(6)]);
    code_.mov(code_.rbx, ptr[code_.rdi + offset_of(7)]);
    code_.mov(code_.rdi, ptr[code_.rdi + offset_of(0)]);
    Xbyak::Label loop;
    code_.L(loop);
    for (std::size_t i = first; i < last; ++i) {
      const DraftStep& step = draft.steps[i];
      steps.emit(step);
      values.end_step(i);
    }
    code_.add(code_.rsi, held_bytes_);
    code_.add(code_.rcx, static_cast<std::uint32_t>(8 * kNativeLanes));
    code_.cmp(code_.rcx, code_.rbx);
    code_.jb(loop, Assembler::T_NEAR);
    code_.vzeroupper();
    code_.pop(code_.rbx);
    code_.ret();
    spilled_bytes_ = std::max<std::size_t>(
        spilled_bytes_, (values.spilled_bytes() + kAlignment) / kAlignment * kAlignment);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a function of data that were written
    return reinterpret_cast<Function>(reinterpret_cast<std::uintptr_t>(start));
  }

  std::size_t inputs_;
  std::size_t roots_;
  Assembler code_;
  std::vector<std::pair<Register, std::uint32_t>> held_at_;
  std::uint32_t held_bytes_ = 0;  ///< of 16 lanes
  std::size_t spilled_bytes_ = 0;
  const std::uint8_t* constants_ = nullptr;
  Function held_ = nullptr;
  Function main_ = nullptr;
};

}  // namespace

bool Native::is_there() { return __builtin_cpu_supports("avx2") != 0; }

std::unique_ptr<const Native> Native::make(const Draft& draft, std::size_t held_steps,
                                           std::size_t inputs, std::size_t roots) {
  if (!is_there() || draft.steps.size() > kMostSteps) return nullptr;
  if (!std::all_of(draft.steps.begin(), draft.steps.end(), has_native)) return nullptr;
  try {
    Draft ordered = draft;
    Scheduler(ordered, held_steps).run();
    return std::make_unique<const MachineCode>(ordered, held_steps, inputs, roots);
  } catch (const Xbyak::Error&) {  // executable memory is not available, or the program is too long
    return nullptr;
  }
}

#endif

}  // namespace mmaspec::batch
