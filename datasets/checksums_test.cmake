# Compares the data files of this folder with the table of README.md:  cmake -P datasets/checksums_test.cmake
# Fails on a checksum that differs, on a row without its file and on a data file without a row.
cmake_minimum_required(VERSION 3.25)

file(READ "${CMAKE_CURRENT_LIST_DIR}/README.md" readme)
# CMake would split the list of rows at a semicolon and join rows between brackets, so remove both.
string(REGEX REPLACE "[][;]" " " readme "${readme}")
string(REPEAT "[0-9a-f]" 64 sha256)
string(REGEX MATCHALL "\n\\| `[^`\n]+` \\|[^\n]*`${sha256}`" rows "${readme}")

set(listed "")
set(faults "")
foreach(row IN LISTS rows)
    string(REGEX MATCH "`([^`]+)`.*`(${sha256})`" row "${row}")
    set(name "${CMAKE_MATCH_1}")
    set(expected "${CMAKE_MATCH_2}")
    list(APPEND listed "${name}")
    if(NOT EXISTS "${CMAKE_CURRENT_LIST_DIR}/${name}")
        list(APPEND faults "${name} has a row in README.md but does not exist: restore the file or remove the row")
        continue()
    endif()
    file(SHA256 "${CMAKE_CURRENT_LIST_DIR}/${name}" found)
    if(NOT found STREQUAL expected)
        list(APPEND faults
             "${name} has SHA-256 ${found}, README.md says ${expected}: restore the file, or change its row")
    endif()
endforeach()

file(GLOB files RELATIVE "${CMAKE_CURRENT_LIST_DIR}"
     "${CMAKE_CURRENT_LIST_DIR}/*.png" "${CMAKE_CURRENT_LIST_DIR}/*.gz" "${CMAKE_CURRENT_LIST_DIR}/*.txt")
list(REMOVE_ITEM files CMakeLists.txt)
foreach(name IN LISTS files)
    if(NOT name IN_LIST listed)
        list(APPEND faults "${name} has no row with a SHA-256 in README.md: add source, licence and checksum")
    endif()
endforeach()

list(LENGTH listed count)
if(count EQUAL 0)
    list(APPEND faults "README.md has no row with a SHA-256: nothing was checked")
endif()
if(faults)
    list(JOIN faults "\n  " faults)
    message(FATAL_ERROR "datasets:\n  ${faults}")
endif()
message(STATUS "datasets: ${count} files have the checksums of README.md")
