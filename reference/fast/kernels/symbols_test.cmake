# What kernels/ compiles must define nothing outside of its own namespace: the linker keeps one copy of an inline
# function for the whole program, and that one could need a vector unit that the machine has not.
#   cmake -DNM=nm -DUNIT=avx512 "-DOBJECTS=a.o;b.o" -P symbols_test.cmake
execute_process(COMMAND ${NM} --demangle --defined-only --extern-only --format=posix ${OBJECTS}
                OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE ";" "," symbols "${symbols}")
string(REPLACE "\n" ";" symbols "${symbols}")
set(own 0)
foreach(symbol IN LISTS symbols)
    if(symbol MATCHES "^attn::fast::${UNIT}::")
        math(EXPR own "${own} + 1")
    elseif(NOT symbol MATCHES "^(.*\\.o:)?$")
        message(SEND_ERROR "defined outside of attn::fast::${UNIT}: ${symbol}")
    endif()
endforeach()
if(own EQUAL 0)
    message(FATAL_ERROR "nothing is defined in attn::fast::${UNIT}")
endif()
