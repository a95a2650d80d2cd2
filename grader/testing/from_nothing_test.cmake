# In an empty folder each of these targets can be built first, alone, in every kind of build:
#   cmake -D PROJECT=. -D WORK=DIR -D GENERATOR=Ninja -D NINJA=ninja -P from_nothing_test.cmake
# Then the targets that call what is written from the contracts are built together, and Ninja is asked whether
# all objects wait for what they include.
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
    foreach(first reference_archive plain stand_ins exports yardstick)
        file(REMOVE_RECURSE ${build})
        run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${PROJECT} -B ${build} ${${kind}})
        run(${CMAKE_COMMAND} --build ${build} --target ${first})
    endforeach()
    run(${CMAKE_COMMAND} --build ${build} --target reference_archive plain stand_ins exports kernel_exports questions
        reference_training)
    run(${CMAKE_COMMAND} -D BUILD=${build} -D GENERATOR=${GENERATOR} -D NINJA=${NINJA}
        -P ${PROJECT}/grader/testing/generated_files_test.cmake)
    message("${kind}: each target can be built first")
endforeach()
file(REMOVE_RECURSE ${WORK})
