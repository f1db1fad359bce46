#pragma once
/// JSON values. Only json.cpp includes the parser and printer, nlohmann-json, because its templates
/// would double the compile time of each source that includes them.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace mmaspec {

class Json;

namespace json_detail {

template <typename T>
struct IsVector : std::false_type {};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {};

/// Types that a value converts to. `char` is excluded because strings are assignable from it.
template <typename T>
concept Readable = (std::is_arithmetic_v<T> && !std::same_as<T, char>) ||
                   std::same_as<T, std::string> || IsVector<T>::value;

}  // namespace json_detail

/// Null, a Boolean, a number, a string, an array, or an object, whose members keep their order.
class Json {
 public:
  enum class Kind : std::uint8_t {
    null,
    boolean,
    integer,  ///< negative, or from a signed type
    natural,  ///< not negative, from an unsigned type or a text
    real,
    string,
    array,
    object,
    discarded  ///< result of parse_or_discard() for text that is not JSON
  };

  /// Thrown if a value has another type than requested, or if a text is not JSON.
  class Error : public std::exception {
   public:
    explicit Error(std::string what) : what_(std::move(what)) {}
    const char* what() const noexcept override { return what_.c_str(); }

   private:
    std::string what_;
  };

  /// The treatment of bytes in a string that are not UTF-8.
  enum class Invalid { refuse, replace };

  Json() noexcept = default;
  // NOLINTBEGIN(google-explicit-constructor): a value is made of what it holds
  Json(std::nullptr_t) noexcept {}
  Json(std::same_as<bool> auto x) noexcept : kind_(Kind::boolean) { is_true_ = x; }
  template <std::integral T>
  requires(!std::same_as<T, bool>) Json(T x)
  noexcept : kind_(std::is_signed_v<T> ? Kind::integer : Kind::natural) {
    natural_ = static_cast<std::uint64_t>(x);
  }
  Json(std::floating_point auto x) noexcept : kind_(Kind::real) { real_ = static_cast<double>(x); }
  Json(const char* text);
  Json(std::string text);
  Json(std::string_view text);
  template <typename T>
  Json(const std::vector<T>& all) : Json(array()) {
    for (const auto& x : all) push_back(Json(x));
  }
  template <typename T>
  Json(const std::map<std::string, T>& all) : Json(object()) {
    for (const auto& [key, x] : all) (*this)[key] = Json(x);
  }
  // NOLINTEND(google-explicit-constructor)
  /// An object if each is an array of a text and a value, else an array.
  Json(std::initializer_list<Json> all);

  Json(const Json& other);
  Json(Json&& other) noexcept : kind_(other.kind_), natural_(other.natural_) {
    other.kind_ = Kind::null;
  }
  Json& operator=(Json other) noexcept {
    std::swap(kind_, other.kind_);
    std::swap(natural_, other.natural_);
    return *this;
  }
  ~Json() {
    if (kind_ >= Kind::string && kind_ <= Kind::object) free();
  }

  static Json array(std::initializer_list<Json> all = {});
  static Json object();

  /// Throws Error if the text is not JSON, or has more than 512 nested values.
  static Json parse(std::string_view text);
  /// The same, but returns a value with is_discarded() instead of throwing.
  static Json parse_or_discard(std::string_view text);

  /// On one line, or indented by `indent` spaces for each level. If a string is not UTF-8, throws
  /// Error or replaces the invalid bytes.
  std::string dump(int indent = -1, Invalid invalid = Invalid::refuse) const;

  bool is_null() const { return kind_ == Kind::null; }
  bool is_boolean() const { return kind_ == Kind::boolean; }
  bool is_number() const { return kind_ >= Kind::integer && kind_ <= Kind::real; }
  bool is_string() const { return kind_ == Kind::string; }
  bool is_array() const { return kind_ == Kind::array; }
  bool is_object() const { return kind_ == Kind::object; }
  bool is_discarded() const { return kind_ == Kind::discarded; }

  /// The value as a T. Throws Error if it has another type; numbers are converted within 64 bits.
  template <typename T>
  requires(json_detail::Readable<T> || std::same_as<T, Json>) T get()
  const {
    if constexpr (std::same_as<T, Json>) {
      return *this;
    } else if constexpr (std::same_as<T, bool>) {
      return truth();
    } else if constexpr (std::floating_point<T>) {
      return static_cast<T>(real());
    } else if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(integer());
    } else if constexpr (std::integral<T>) {
      return static_cast<T>(natural());
    } else if constexpr (std::same_as<T, std::string>) {
      return text();
    } else {
      T all;
      for (const Json& x : elements()) all.push_back(x.get<typename T::value_type>());
      return all;
    }
  }
  template <json_detail::Readable T>
  operator T() const {  // NOLINT(google-explicit-constructor)
    return get<T>();
  }
  /// Throws Error if it is not a string.
  const std::string& text() const;

  /// The number of elements or members; 0 for null, 1 for a scalar.
  std::size_t size() const;
  bool empty() const { return size() == 0; }

  /// Elements, or the members' values; for a scalar, the value itself.
  Json* begin();
  Json* end() { return begin() + size(); }
  const Json* begin() const { return const_cast<Json*>(this)->begin(); }
  const Json* end() const { return begin() + size(); }
  Json& front() { return *begin(); }
  Json& back() { return *(end() - 1); }
  const Json& front() const { return *begin(); }
  const Json& back() const { return *(end() - 1); }

  struct Item {
    const std::string& key;
    const Json& value;
  };
  /// The members. Throws Error if it is not an object.
  std::vector<Item> items() const;

  /// The member's value, or end().
  Json* find(std::string_view key);
  const Json* find(std::string_view key) const { return const_cast<Json*>(this)->find(key); }
  bool contains(std::string_view key) const { return is_object() && find(key) != end(); }

  /// Throw Error if there is no such element.
  Json& at(std::string_view key);
  const Json& at(std::string_view key) const { return const_cast<Json*>(this)->at(key); }
  Json& at(std::integral auto index) { return element(static_cast<std::size_t>(index)); }
  const Json& at(std::integral auto index) const {
    return const_cast<Json*>(this)->element(static_cast<std::size_t>(index));
  }
  /// Creates the member if there is none; null becomes an object.
  Json& operator[](std::string_view key);
  Json& operator[](const char* key) { return (*this)[std::string_view(key)]; }
  const Json& operator[](std::string_view key) const { return at(key); }
  const Json& operator[](const char* key) const { return at(std::string_view(key)); }
  Json& operator[](std::integral auto index) { return element(static_cast<std::size_t>(index)); }
  const Json& operator[](std::integral auto index) const { return at(index); }

  /// The member's value, or `otherwise` if there is none. Throws Error if it is not an object.
  template <typename T>
  T value(std::string_view key, const T& otherwise) const {
    const Json* member = member_or_null(key);
    return member == nullptr ? otherwise : member->get<T>();
  }
  std::string value(std::string_view key, const char* otherwise) const {
    return value(key, std::string(otherwise));
  }

  /// Null becomes an array.
  void push_back(Json element);
  /// Adds the members of an object, replacing members of the same names. Null becomes an object.
  void update(const Json& other);
  /// The number of removed members: 0 or 1.
  std::size_t erase(std::string_view key);

  friend bool operator==(const Json& x, const Json& y) { return equal(x, y); }
  /// Without this overload, conversions of a number to a value and back would be ambiguous.
  template <typename T>
  requires std::is_arithmetic_v<T>
  friend bool operator==(const Json& x, T y) { return equal(x, Json(y)); }
  friend std::ostream& operator<<(std::ostream& out, const Json& x);

 private:
  struct Members;

  void free() noexcept;
  void become(Kind kind);
  bool truth() const;
  double real() const;
  std::int64_t integer() const;
  std::uint64_t natural() const;
  const std::vector<Json>& elements() const;
  Json& element(std::size_t index);
  const Json* member_or_null(std::string_view key) const;
  [[noreturn]] void refuse(const char* wanted) const;
  [[noreturn]] void cannot(const char* what) const;
  const char* kind_name() const;
  void print(std::string& out, int indent, std::size_t depth, Invalid invalid) const;
  static bool equal(const Json& x, const Json& y);

  Kind kind_ = Kind::null;
  union {
    bool is_true_;
    std::uint64_t natural_ = 0;  ///< also stores an integer
    double real_;
    std::string* text_;
    std::vector<Json>* array_;
    Members* object_;
  };
};

/// Streaming parser: calls functions for the contents of a text, for callers that keep little of
/// it.
class JsonReader {
 public:
  virtual ~JsonReader() = default;

  /// False if the text is not JSON; the functions were called for the part before the error.
  bool read(std::string_view text);

 protected:
  JsonReader() = default;
  JsonReader(const JsonReader&) = default;
  JsonReader& operator=(const JsonReader&) = default;

  virtual void string(const std::string& text) = 0;
  virtual void number(double x) = 0;
  virtual void key(const std::string& name) = 0;
  virtual void enter() = 0;  ///< called at the start of an object or an array
  virtual void leave() = 0;

 private:
  class Told;
};

}  // namespace mmaspec
