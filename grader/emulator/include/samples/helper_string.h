#pragma once
/// The CUDA samples' functions for a command line of -name and -name=value, and for files of data.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#if !defined(EXIT_WAIVED)
#define EXIT_WAIVED 2  // a sample that cannot run on this device
#endif
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp

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

/// The path of a file here or in one of the folders where the samples keep data, for free(); null if there is
/// none.
inline char* sdkFindFilePath(const char* name, const char*) {
    for (const char* folder : {"", "data/", "../data/", "../../data/", "../../../data/"}) {
        char* const path = static_cast<char*>(malloc(strlen(folder) + strlen(name) + 1));
        strcpy(path, folder);
        strcat(path, name);
        if (FILE* const file = fopen(path, "rb"); file != nullptr) {
            fclose(file);
            return path;
        }
        free(path);
    }
    return nullptr;
}
