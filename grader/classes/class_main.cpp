/// `grader class`: grades whole classes. It is a program of its own, because `make grade` does not need it.

#include <iostream>

#include "grader/classes/records.h"

int main() {
    std::cerr << "grader class: not written yet\n";
    return 2;
}
