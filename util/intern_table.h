#pragma once
/// Hash table for interning: maps equal objects to one number.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace mmaspec {

/// Numbers by hash, in one array. The objects are stored elsewhere. Numbers must be less than 2^32
/// - 1.
class InternTable {
 public:
  /// The number with this hash for which `is_it(number)` holds, if there is one.
  template <class IsIt>
  std::optional<std::uint32_t> find(std::size_t hash, IsIt is_it) const {
    if (slots_.empty()) return std::nullopt;
    const std::uint32_t short_hash = shorten(hash);
    for (std::size_t i = short_hash & mask();; i = (i + 1) & mask()) {
      const Slot& slot = slots_[i];
      if (slot.number == kNone) return std::nullopt;
      if (slot.hash == short_hash && is_it(slot.number)) return slot.number;
    }
  }

  /// Adds a number that find() does not find.
  void add(std::size_t hash, std::uint32_t number) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    put({shorten(hash), number});
    ++size_;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = kNone;
  };

  std::size_t mask() const { return slots_.size() - 1; }

  /// The highest bits of a product depend on all bits of a factor.
  static std::uint32_t shorten(std::size_t hash) {
    return static_cast<std::uint32_t>((std::uint64_t{hash} * 0x9e3779b97f4a7c15ULL) >> 32);
  }

  void put(Slot slot) {
    std::size_t i = slot.hash & mask();
    while (slots_[i].number != kNone) i = (i + 1) & mask();
    slots_[i] = slot;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    std::swap(old, slots_);
    for (const Slot& slot : old) {
      if (slot.number != kNone) put(slot);
    }
  }

  std::vector<Slot> slots_;  // the size is a power of two; at least half of the slots are free
  std::size_t size_ = 0;
};

}  // namespace mmaspec
