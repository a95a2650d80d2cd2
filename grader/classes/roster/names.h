#pragma once
/// Names of people: made safe to show, compared, and replaced by pseudonyms.

#include <string>
#include <string_view>

namespace attn::classes {

/// A name in one line, without marks that change the writing direction and without control characters.
std::string tidy_name(std::string_view name);

/// The words of a name in lower case without accents, sorted: "müller, Jörg" and "Jorg Muller" are both
/// "jorg muller". Characters other than letters and digits separate words. Letters of other scripts stay.
std::string name_words(std::string_view name);

/// The letters and digits of a name in its order, in lower case without accents: "doe jane" and "doejane" are
/// both "doejane". "Doe, Jane" keeps its order.
std::string name_letters(std::string_view name);

/// A random pseudonym such as "quiet-otter-42". Nothing about the student goes into it. The caller makes sure
/// that it is new.
std::string new_pseudonym();

}  // namespace attn::classes
