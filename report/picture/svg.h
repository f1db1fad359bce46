#pragma once
/// Writes the few SVG elements that pictures use.

#include <string>
#include <vector>

namespace mmaspec {

inline constexpr double kGlyph = 7.9;  ///< width of a label's character, in pixels
inline constexpr double kMargin = 12;  ///< around a picture, in pixels

/// The text with &, <, >, " and ' escaped, for contents and attributes.
std::string escaped(const std::string& text);

/// Text on the page, in pixels of the picture.
struct SvgText {
  double x = 0;
  double y = 0;  ///< of the baseline
  std::string text = {};
  std::string classes = {};      ///< of the style sheet
  std::string anchor = "start";  ///< or middle, end
};

/// An SVG document under construction. Everything that depends on dark mode is a class of its style
/// sheet.
class Svg {
 public:
  void open_group(const std::string& classes, const std::string& attributes = "");
  void close_group();
  void rect(double x, double y, double width, double height, const std::string& classes);
  void line(double x1, double y1, double x2, double y2, const std::string& classes);
  void text(const SvgText& text);
  /// Draws one digit at each x.
  void digits(const std::vector<double>& x, double y, const std::vector<std::string>& digits,
              const std::string& classes);

  /// The complete document, with this size as its viewBox; it scales to the available space.
  /// `title` describes the picture to readers who cannot see it.
  std::string document(double width, double height, const std::string& title,
                       const std::string& description) const;

 private:
  std::string content_;
};

}  // namespace mmaspec
