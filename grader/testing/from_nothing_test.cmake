# In an empty folder the plain loops can be built first, alone, in every kind of build. (All that they include is written from
# the contracts.) Then Ninja is asked whether all objects wait for what they include:
#   cmake -D PROJECT=. -D WORK=DIR -D GENERATOR=Ninja -D NINJA=ninja -P from_nothing_test.cmake
set(single_files -D ATTN_UNITY=OFF)
set(debug -D CMAKE_BUILD_TYPE=Debug)
set(sanitized -D CMAKE_BUILD_TYPE=Debug -D ATTN_SANITIZE=ON)
set(threads -D CMAKE_BUILD_TYPE=Debug -D ATTN_SANITIZE=thread)

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(NOT result EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\nended with ${result}:\n${text}")
    endif()
endfunction()

foreach(kind single_files debug sanitized threads)
    set(build ${WORK}/${kind})
    file(REMOVE_RECURSE ${build})
    run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${PROJECT} -B ${build} ${${kind}})
    run(${CMAKE_COMMAND} --build ${build} --target reference_archive)
    run(${CMAKE_COMMAND} -D BUILD=${build} -D GENERATOR=${GENERATOR} -D NINJA=${NINJA}
        -P ${PROJECT}/grader/testing/generated_files_test.cmake)
    message("${kind}: the plain loops can be built first")
endforeach()
file(REMOVE_RECURSE ${WORK})
