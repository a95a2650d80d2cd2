#pragma once
/// Names in archives that are not UTF-8.

#include <string>
#include <string_view>

namespace attn::intake {

/// The name as it is if it is UTF-8, and otherwise read as CP850, in which Windows writes names into a zip. Every byte is
/// a character there, so each name can be read, if not always as it was meant.
std::string utf8_name(std::string_view name);

}  // namespace attn::intake
