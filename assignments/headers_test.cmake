# Every contract compiles on its own and as students may use it: with each compiler that is here, as C++17 and as
# C++20, without a warning:  cmake -DCOMPILERS="g++;clang++" -P assignments/headers_test.cmake
cmake_minimum_required(VERSION 3.25)

file(GLOB headers "${CMAKE_CURRENT_LIST_DIR}/[0-9]*/*.h" "${CMAKE_CURRENT_LIST_DIR}/tensor.h")
list(LENGTH headers count)
if(count LESS 2)
    message(FATAL_ERROR "${count} headers: expected tensor.h and one of each assignment")
endif()
set(compiled 0)
foreach(name IN LISTS COMPILERS)
    find_program(compiler_${name} ${name})
    if(NOT compiler_${name})
        message(STATUS "${name} is not here: not looked at")
        continue()
    endif()
    foreach(standard 17 20)
        foreach(header IN LISTS headers)
            execute_process(
                COMMAND "${compiler_${name}}" -std=c++${standard} -fsyntax-only -x c++ -Wall -Wextra -Wpedantic -Wshadow
                        -Wconversion -Werror -include "${header}" /dev/null
                RESULT_VARIABLE result ERROR_VARIABLE messages)
            if(NOT result EQUAL 0)
                message(FATAL_ERROR "${name} -std=c++${standard} ${header}:\n${messages}")
            endif()
            math(EXPR compiled "${compiled} + 1")
        endforeach()
    endforeach()
endforeach()
if(compiled EQUAL 0)
    message(FATAL_ERROR "none of these compilers is here: ${COMPILERS}")
endif()
message(STATUS "${compiled} times a header compiled")
