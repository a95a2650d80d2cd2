# Assembles a page from its parts and writes it as C++: the text before and after its data. The parts are looked for in
# the page's own folder first, and then beside this file.
#   cmake -D OUTPUT=FILE.cpp -D PAGE=FOLDER/insight.html -D NAME=Insight -P assemble.cmake
cmake_minimum_required(VERSION 3.25)
cmake_path(GET PAGE PARENT_PATH own_folder)
cmake_path(GET PAGE FILENAME page_name)
file(READ ${PAGE} page)
string(REGEX MATCHALL "@[a-z_]+\\.(css|js|html)@" names "${page}")
foreach(name ${names})
    string(REPLACE "@" "" file ${name})
    if(EXISTS ${own_folder}/${file})
        file(READ ${own_folder}/${file} text)
    else()
        file(READ ${CMAKE_CURRENT_LIST_DIR}/${file} text)
    endif()
    # Indentation, empty lines and lines of comments are left out: every report contains the page.
    string(REGEX REPLACE "\n +" "\n" text "\n${text}")
    string(REGEX REPLACE "\n//[^\n]*|\n/[*][^\n]*[*]/" "" text "${text}")
    string(REGEX REPLACE "\n\n+" "\n" text "${text}")
    string(REGEX REPLACE "\n\n+" "\n" text "${text}")
    if(name MATCHES "css@$")  # so are blanks where a style needs none
        string(REGEX REPLACE "[ \n]*([{};,])[ \n]*" "\\1" text "${text}")
        string(REGEX REPLACE ": " ":" text "${text}")
        string(REPLACE ";}" "}" text "${text}")
    elseif(name MATCHES "js@$")  # and line feeds and blanks of a script. Texts for readers have none of these forms.
        string(REGEX REPLACE "([,;({])\n" "\\1" text "${text}")
        string(REGEX REPLACE "\n([]}).?:&|])" "\\1" text "${text}")
        string(REGEX REPLACE "}\n(function|const|let|if|for|return) " "}\\1 " text "${text}")
        string(REGEX REPLACE "(if|for|while) \\(" "\\1(" text "${text}")
        string(REGEX REPLACE " (=>|===|!==|&&|[|][|]|[?:]) " "\\1" text "${text}")
        string(REGEX REPLACE "([])a-zA-Z0-9]) = ([^$])" "\\1=\\2" text "${text}")
        string(REGEX REPLACE ", ([[{]|el\\(|svg\\(|listOf\\()" ",\\1" text "${text}")
        string(REGEX REPLACE "\\) {" "){" text "${text}")
        string(REPLACE ";}" "}" text "${text}")
    endif()
    if(name MATCHES "html@$")  # the lines that all pages begin with
        string(STRIP "${text}" text)
    endif()
    string(REPLACE "${name}" "${text}" page "${page}")
endforeach()

# The SHA-256 of the text between two tags, in base64. The page's security policy allows only this style and script.
function(hash_of tag result)
    string(FIND "${page}" "<${tag}>" begin)
    string(FIND "${page}" "</${tag}>" end REVERSE)
    string(LENGTH "<${tag}>" length)
    math(EXPR begin "${begin} + ${length}")
    math(EXPR length "${end} - ${begin}")
    string(SUBSTRING "${page}" ${begin} ${length} text)
    string(SHA256 hash "${text}")
    string(APPEND hash 00)  # 33 bytes give 44 characters; the last one, from the added byte, is replaced by =
    set(alphabet ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
    set(letters "")
    foreach(first RANGE 0 60 6)
        string(SUBSTRING ${hash} ${first} 6 bytes)
        foreach(shift 18 12 6 0)
            math(EXPR letter "(0x${bytes} >> ${shift}) & 63")
            string(SUBSTRING ${alphabet} ${letter} 1 letter)
            string(APPEND letters ${letter})
        endforeach()
    endforeach()
    string(REGEX REPLACE ".$" "=" letters ${letters})
    set(${result} ${letters} PARENT_SCOPE)
endfunction()
foreach(tag style script)
    hash_of(${tag} hash)
    string(REPLACE "@${tag} hash@" "${hash}" page "${page}")
endforeach()

string(TOLOWER ${NAME} data)
string(REPLACE "@${data}@" ")page\",\n    R\"page(" page "${page}")
file(WRITE ${OUTPUT} "// Made by the build from ${page_name}.
#include \"grader/report/html.h\"

// Compilers must support texts of 64 KiB. Those that compile this project support longer ones; clang warns.
#pragma GCC diagnostic ignored \"-Woverlength-strings\"

namespace attn::report {

extern const Page k${NAME}Page{
    R\"page(${page})page\"};

}  // namespace attn::report
")
