#pragma once
/// For tests of the writers: what our schemas say of a text. (What is here is made in schemas_test.cpp.)

#include <string>

namespace attn::report {

/// What is wrong with JSON by schemas/NAME.schema.json; empty where nothing is.
std::string json_complaints(const std::string& name, const std::string& text);

/// What is wrong with XML by schemas/junit.xsd; empty where nothing is.
std::string junit_complaints(const std::string& text);

}  // namespace attn::report
