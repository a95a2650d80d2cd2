#pragma once
/// For tests of the report writers: validates a text with our schemas. (Defined in
/// report/platforms/schemas_test.cpp.)

#include <string>

namespace attn::report {

/// The errors of a JSON text by schemas/NAME.schema.json; empty if it is valid.
std::string json_complaints(const std::string& name, const std::string& text);

/// The errors of an XML text by schemas/junit.xsd; empty if it is valid.
std::string junit_complaints(const std::string& text);

}  // namespace attn::report
