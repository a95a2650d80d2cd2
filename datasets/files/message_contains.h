#pragma once
/// For tests: checks error messages.

#include <exception>
#include <initializer_list>
#include <string>
#include <vector>

namespace attn::data {

/// For BOOST_CHECK_EXCEPTION: true for an exception whose message contains every one of `parts`.
inline auto message_contains(std::initializer_list<std::string> parts) {
    return [wanted = std::vector<std::string>(parts)](const std::exception& error) {
        const std::string message = error.what();
        for (const std::string& part : wanted)
            if (message.find(part) == std::string::npos) return false;
        return true;
    };
}

}  // namespace attn::data
