#pragma once
/// The locale in which libarchive reads names.

#include <clocale>

#include <locale.h>  // NOLINT(modernize-deprecated-headers): newlocale is POSIX's

namespace attn::intake {

/// Sets a UTF-8 locale for this thread while it lives. libarchive converts names that are marked as UTF-8 to
/// the encoding of the locale; in a UTF-8 locale they do not change.
class Utf8Names {
  public:
    Utf8Names() : utf8_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
        if (utf8_ != nullptr) before_ = uselocale(utf8_);
    }
    ~Utf8Names() {
        if (utf8_ == nullptr) return;
        uselocale(before_);
        freelocale(utf8_);
    }
    Utf8Names(const Utf8Names&) = delete;
    Utf8Names& operator=(const Utf8Names&) = delete;

  private:
    locale_t utf8_, before_ = nullptr;
};

}  // namespace attn::intake
