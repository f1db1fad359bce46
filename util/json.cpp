#include "util/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

namespace mmaspec {

/// Names and values in parallel arrays, so that the values are a range.
struct Json::Members {
  std::vector<std::string> names;
  std::vector<Json> values;

  Json* find(std::string_view key) {
    const auto it = std::find(names.begin(), names.end(), key);
    return values.data() + (it - names.begin());
  }
  Json& operator[](std::string_view key) {
    Json* found = find(key);
    if (found != values.data() + values.size()) return *found;
    names.emplace_back(key);
    return values.emplace_back();
  }
};

namespace {

using Parser = nlohmann::json;

/// Limit of nesting, because copying, printing and comparing are recursive.
constexpr std::size_t kDeepest = 512;

/// Builds a value from nlohmann-json's events.
class Builder : public Parser::json_sax_t {
 public:
  Json result;
  std::string error;

  bool null() override { return add(Json()); }
  bool boolean(bool x) override { return add(x); }
  bool number_integer(number_integer_t x) override { return add(x); }
  bool number_unsigned(number_unsigned_t x) override { return add(x); }
  bool number_float(number_float_t x, const string_t&) override { return add(x); }
  bool string(string_t& x) override { return add(std::move(x)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return enter(Json::object()); }
  bool start_array(std::size_t) override { return enter(Json::array()); }
  bool key(string_t& x) override {
    member_ = &(*open_.back())[std::string_view(x)];
    return true;
  }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) override {
    error = e.what();
    return false;
  }

 private:
  bool add(Json x) {
    place() = std::move(x);
    return true;
  }
  bool enter(Json x) {
    if (open_.size() == kDeepest) {
      error = "more than " + std::to_string(kDeepest) + " nested values";
      return false;
    }
    Json& at = place();
    at = std::move(x);
    open_.push_back(&at);
    return true;
  }
  bool leave() {
    open_.pop_back();
    return true;
  }
  Json& place() {
    if (open_.empty()) return result;
    if (open_.back()->is_object()) return *member_;
    open_.back()->push_back(Json());
    return open_.back()->back();
  }

  std::vector<Json*> open_;
  Json* member_ = nullptr;
};

/// Takes the base class, so that the parser's template is instantiated once.
bool parse_to(std::string_view text, Parser::json_sax_t& to) {
  return Parser::sax_parse(text, &to);
}

bool is_plain(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

void print_text(const std::string& text, Json::Invalid invalid, std::string& out) {
  if (is_plain(text)) {
    out.append(1, '"').append(text).append(1, '"');
    return;
  }
  try {
    out += Parser(text).dump(-1, ' ', false,
                             invalid == Json::Invalid::replace ? Parser::error_handler_t::replace
                                                               : Parser::error_handler_t::strict);
  } catch (const Parser::exception& e) {
    throw Json::Error(e.what());
  }
}

}  // namespace

Json::Json(const char* text) : Json(std::string(text)) {}
Json::Json(std::string_view text) : Json(std::string(text)) {}
Json::Json(std::string text) : kind_(Kind::string) { text_ = new std::string(std::move(text)); }

Json::Json(std::initializer_list<Json> all) {
  const bool are_members = std::all_of(all.begin(), all.end(), [](const Json& x) {
    return x.is_array() && x.size() == 2 && x.front().is_string();
  });
  become(are_members ? Kind::object : Kind::array);
  for (const Json& x : all) {
    if (!are_members) {
      array_->push_back(x);
    } else if (Json* found = find(x.front().text());
               found == end()) {  // the first member of a name counts
      object_->names.push_back(x.front().text());
      object_->values.push_back(x.back());
    }
  }
}

Json::Json(const Json& other) : kind_(other.kind_) {
  switch (kind_) {
    case Kind::string:
      text_ = new std::string(*other.text_);
      break;
    case Kind::array:
      array_ = new std::vector<Json>(*other.array_);
      break;
    case Kind::object:
      object_ = new Members(*other.object_);
      break;
    default:
      natural_ = other.natural_;
  }
}

/// Not recursive, because values may be deeply nested.
void Json::free() noexcept {
  std::vector<Json> inner;
  const auto take = [&inner](Json& x) {
    if (x.kind_ != Kind::array && x.kind_ != Kind::object) return;
    for (Json& child : x) {
      if (child.kind_ == Kind::array || child.kind_ == Kind::object)
        inner.push_back(std::move(child));
    }
  };
  take(*this);
  while (!inner.empty()) {
    Json next = std::move(inner.back());
    inner.pop_back();
    take(next);
  }
  switch (kind_) {
    case Kind::string:
      delete text_;
      break;
    case Kind::array:
      delete array_;
      break;
    case Kind::object:
      delete object_;
      break;
    default:
      break;
  }
}

void Json::become(Kind kind) {
  if (kind == Kind::array) array_ = new std::vector<Json>();
  if (kind == Kind::object) object_ = new Members();
  kind_ = kind;
}

Json Json::array(std::initializer_list<Json> all) {
  Json x;
  x.become(Kind::array);
  x.array_->assign(all);
  return x;
}

Json Json::object() {
  Json x;
  x.become(Kind::object);
  return x;
}

Json Json::parse(std::string_view text) {
  Builder builder;
  if (!parse_to(text, builder)) throw Error(std::move(builder.error));
  return std::move(builder.result);
}

Json Json::parse_or_discard(std::string_view text) {
  Builder builder;
  if (parse_to(text, builder)) return std::move(builder.result);
  Json none;
  none.kind_ = Kind::discarded;
  return none;
}

std::string Json::dump(int indent, Invalid invalid) const {
  std::string out;
  print(out, indent, 0, invalid);
  return out;
}

void Json::print(std::string& out, int indent, std::size_t depth, Invalid invalid) const {
  const auto new_line = [&](std::size_t at) {
    if (indent < 0) return;
    out += '\n';
    out.append(at * static_cast<std::size_t>(indent), ' ');
  };
  switch (kind_) {
    case Kind::null:
      out += "null";
      return;
    case Kind::boolean:
      out += is_true_ ? "true" : "false";
      return;
    case Kind::integer:
      out += std::to_string(static_cast<std::int64_t>(natural_));
      return;
    case Kind::natural:
      out += std::to_string(natural_);
      return;
    case Kind::real:
      out += Parser(real_).dump();
      return;
    case Kind::string:
      print_text(*text_, invalid, out);
      return;
    case Kind::discarded:
      out += "<discarded>";
      return;
    case Kind::array:
    case Kind::object:
      break;
  }
  const bool named = is_object();
  out += named ? '{' : '[';
  for (std::size_t i = 0; i < size(); ++i) {
    if (i > 0) out += ',';
    new_line(depth + 1);
    if (named) {
      print_text(object_->names[i], invalid, out);
      out += indent < 0 ? ":" : ": ";
    }
    begin()[i].print(out, indent, depth + 1, invalid);
  }
  if (!empty()) new_line(depth);
  out += named ? '}' : ']';
}

const char* Json::kind_name() const {
  switch (kind_) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "boolean";
    case Kind::string:
      return "string";
    case Kind::array:
      return "array";
    case Kind::object:
      return "object";
    case Kind::discarded:
      return "discarded";
    default:
      return "number";
  }
}

void Json::refuse(const char* wanted) const {
  throw Error("[json.exception.type_error.302] type must be " + std::string(wanted) + ", but is " +
              kind_name());
}

void Json::cannot(const char* what) const {
  throw Error("[json.exception.type_error] cannot use " + std::string(what) + " with " +
              kind_name());
}

const std::string& Json::text() const {
  if (kind_ != Kind::string) refuse("string");
  return *text_;
}

bool Json::truth() const {
  if (kind_ != Kind::boolean) refuse("boolean");
  return is_true_;
}

double Json::real() const {
  switch (kind_) {
    case Kind::integer:
      return static_cast<double>(static_cast<std::int64_t>(natural_));
    case Kind::natural:
      return static_cast<double>(natural_);
    case Kind::real:
      return real_;
    default:
      refuse("number");
  }
}

std::int64_t Json::integer() const {
  // -2^63 and 2^63 are f64 numbers; a NaN is not between them.
  if (kind_ == Kind::real) {
    if (!(real_ >= -0x1p63 && real_ < 0x1p63)) refuse("an integer of 64 bits");
    return static_cast<std::int64_t>(real_);
  }
  return static_cast<std::int64_t>(natural());
}

std::uint64_t Json::natural() const {
  switch (kind_) {
    case Kind::integer:
    case Kind::natural:
      return natural_;
    case Kind::real:
      if (!(real_ > -1 && real_ < 0x1p64)) refuse("a natural number of 64 bits");
      return static_cast<std::uint64_t>(real_);
    default:
      refuse("number");
  }
}

const std::vector<Json>& Json::elements() const {
  if (kind_ != Kind::array) refuse("array");
  return *array_;
}

std::size_t Json::size() const {
  switch (kind_) {
    case Kind::null:
      return 0;
    case Kind::array:
      return array_->size();
    case Kind::object:
      return object_->values.size();
    default:
      return 1;
  }
}

Json* Json::begin() {
  switch (kind_) {
    case Kind::array:
      return array_->data();
    case Kind::object:
      return object_->values.data();
    default:
      return this;
  }
}

std::vector<Json::Item> Json::items() const {
  if (kind_ != Kind::object) cannot("items()");
  std::vector<Item> all;
  for (std::size_t i = 0; i < size(); ++i) all.push_back({object_->names[i], object_->values[i]});
  return all;
}

Json* Json::find(std::string_view key) {
  return kind_ == Kind::object ? object_->find(key) : end();
}

Json& Json::at(std::string_view key) {
  if (kind_ != Kind::object) cannot("at()");
  Json* found = find(key);
  if (found == end()) {
    throw Error("[json.exception.out_of_range.403] key '" + std::string(key) + "' not found");
  }
  return *found;
}

Json& Json::element(std::size_t index) {
  if (kind_ != Kind::array) cannot("at()");
  if (index >= array_->size()) {
    throw Error("[json.exception.out_of_range.401] array index " + std::to_string(index) +
                " is out of range");
  }
  return (*array_)[index];
}

const Json* Json::member_or_null(std::string_view key) const {
  if (kind_ != Kind::object) cannot("value()");
  const Json* found = find(key);
  return found == end() ? nullptr : found;
}

Json& Json::operator[](std::string_view key) {
  if (kind_ == Kind::null) become(Kind::object);
  if (kind_ != Kind::object) cannot("operator[]");
  return (*object_)[key];
}

void Json::push_back(Json element) {
  if (kind_ == Kind::null) become(Kind::array);
  if (kind_ != Kind::array) cannot("push_back()");
  array_->push_back(std::move(element));
}

void Json::update(const Json& other) {
  if (kind_ == Kind::null) become(Kind::object);
  if (kind_ != Kind::object) cannot("update()");
  for (const Item& i : other.items()) (*object_)[i.key] = i.value;
}

std::size_t Json::erase(std::string_view key) {
  if (kind_ != Kind::object) cannot("erase()");
  const auto at = find(key) - begin();
  if (at == end() - begin()) return 0;
  object_->names.erase(object_->names.begin() + at);
  object_->values.erase(object_->values.begin() + at);
  return 1;
}

bool Json::equal(const Json& x, const Json& y) {
  if (x.is_number() && y.is_number()) {
    if (x.kind_ == Kind::real || y.kind_ == Kind::real) return x.real() == y.real();
    // A negative integer has the bits of a natural number of at least 2^63.
    const auto is_negative = [](const Json& n) {
      return n.kind_ == Kind::integer && static_cast<std::int64_t>(n.natural_) < 0;
    };
    return x.natural_ == y.natural_ && is_negative(x) == is_negative(y);
  }
  if (x.kind_ != y.kind_) return false;
  switch (x.kind_) {
    case Kind::null:
      return true;
    case Kind::boolean:
      return x.is_true_ == y.is_true_;
    case Kind::string:
      return *x.text_ == *y.text_;
    case Kind::array:
      return *x.array_ == *y.array_;
    case Kind::object:
      return x.object_->names == y.object_->names && x.object_->values == y.object_->values;
    default:
      return false;
  }
}

class JsonReader::Told : public Parser::json_sax_t {
 public:
  explicit Told(JsonReader& to) : to_(to) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t x) override { return number(static_cast<double>(x)); }
  bool number_unsigned(number_unsigned_t x) override { return number(static_cast<double>(x)); }
  bool number_float(number_float_t x, const string_t&) override { return number(x); }
  bool string(string_t& x) override { return to_.string(x), true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return to_.enter(), true; }
  bool start_array(std::size_t) override { return to_.enter(), true; }
  bool key(string_t& x) override { return to_.key(x), true; }
  bool end_object() override { return to_.leave(), true; }
  bool end_array() override { return to_.leave(), true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  bool number(double x) { return to_.number(x), true; }

  JsonReader& to_;
};

bool JsonReader::read(std::string_view text) {
  Told told(*this);
  return parse_to(text, told);
}

std::ostream& operator<<(std::ostream& out, const Json& x) { return out << x.dump(); }

}  // namespace mmaspec
