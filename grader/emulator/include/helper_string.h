#pragma once
/// The CUDA samples' functions for a command line of -name and -name=value.

#include <stdlib.h>
#include <string.h>

namespace attn::emulator {

/// The text after "-name" or "--name" in an argument, or null: "" or "=value".
inline const char* flag_of(int count, const char** words, const char* name) {
    const size_t length = strlen(name);
    for (int argument = 1; argument < count; ++argument) {
        const char* word = words[argument];
        while (*word == '-') ++word;
        if (word != words[argument] && strncmp(word, name, length) == 0 &&
            (word[length] == '\0' || word[length] == '='))
            return word + length;
    }
    return nullptr;
}

}  // namespace attn::emulator

inline bool checkCmdLineFlag(int count, const char** words, const char* name) {
    return attn::emulator::flag_of(count, words, name) != nullptr;
}
inline int getCmdLineArgumentInt(int count, const char** words, const char* name) {
    const char* value = attn::emulator::flag_of(count, words, name);
    return value != nullptr && *value == '=' ? atoi(value + 1) : 0;
}
inline float getCmdLineArgumentFloat(int count, const char** words, const char* name) {
    const char* value = attn::emulator::flag_of(count, words, name);
    return value != nullptr && *value == '=' ? static_cast<float>(atof(value + 1)) : 0.0f;
}
inline bool getCmdLineArgumentString(int count, const char** words, const char* name, char** text) {
    const char* value = attn::emulator::flag_of(count, words, name);
    if (value == nullptr || *value != '=') return false;
    *text = const_cast<char*>(value + 1);
    return true;
}
