# Attention Lab. CMake does the building; this file only names what people type.
#   make            build everything              make grade [A=2] [SUBMISSION=DIR]   grade student/ or DIR
#   make test       the project's own tests       make demo                           what a report looks like
PACKAGES := g++ cmake ninja-build ccache pkg-config libboost-dev libboost-test-dev libboost-program-options-dev \
            libopenblas-dev libbenchmark-dev libtomlplusplus-dev nlohmann-json3-dev libfmt-dev libpng-dev zlib1g-dev
LINTERS  := clang-format clang-tidy

BUILD      ?= build
SUBMISSION ?= student
GRADER     := $(BUILD)/grader/grader
SOURCES     = $(shell git ls-files -co --exclude-standard -- '*.h' '*.cpp' '*.cu')
GENERATOR  := $(shell command -v ninja >/dev/null 2>&1 && echo -G Ninja)
OPTIONS     = $(if $(A),--assignment $(A)) --json $(BUILD)/report.json $(ARGS)

all: build
help:    ; @sed -n 's/^#//p' Makefile | head -3; echo "    make bench | lint | format | sanitize | deps | clean"
deps:    ; @.ci/deps $(PACKAGES)
build: $(BUILD)/CMakeCache.txt
	@cmake --build $(BUILD) -- $(BUILD_ARGS)
$(BUILD)/CMakeCache.txt: | deps
	@cmake -S . -B $(BUILD) $$(command -v ninja >/dev/null && echo -G Ninja) $(CMAKE_ARGS)

grade: build
	@$(GRADER) grade $(SUBMISSION) $(OPTIONS)
demo: build
	@$(GRADER) grade grader/impostors/demo || test $$? -eq 1
test: build
	@ctest --test-dir $(BUILD) --output-on-failure
bench: build
	@$(BUILD)/reference/benchmarks
sanitize:
	@$(MAKE) test BUILD=$(BUILD)/sanitize CMAKE_ARGS="-DCMAKE_BUILD_TYPE=Debug -DATTN_SANITIZE=ON"
format:  ; @.ci/deps $(LINTERS) && clang-format -i $(SOURCES)
lint: build
	@.ci/deps $(LINTERS) && clang-format --dry-run -Werror $(SOURCES)
	@run-clang-tidy -quiet -p $(BUILD) '^$(CURDIR)/(assignments|reference|grader|datasets)/'
clean:   ; @rm -rf $(BUILD)

.PHONY: all help deps build grade demo test bench sanitize format lint clean
