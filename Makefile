## Attention Lab. CMake does the building; this file only names what people type.
##   make                              build everything
##   make grade [A=2] [SUBMISSION=ZIP] grade student/, or another folder or archive; one assignment
##   make grade SEED_FILE=secret.txt   the mark: secret inputs, and those of secret.toml
##   make explain ID=2.softmax.ragged  replay a check of the last report with all its numbers; a page of it, too
##   make emulate FILE=my.cu [ARGS=..] run a CUDA program without a GPU: what is wrong in its kernels
##   make demo                         grade a sample submission: what a report looks like
##   make test                         the project's own tests
##   make selfcheck [A=2]              the grader proves itself: every mistake is named, pairs of them too
##   make soak [N=1000]                grade right, wrong and hostile submissions in a row: nothing changes or stays
##   make selfcheck-speed [N=50]       measure three submissions again and again, half of it on a busy machine
##   make bench [PLOT=F.svg] [JSON=F]  speeds as ratios of one run: plain loops, OpenBLAS, fused; PyTorch, a GPU if there
##   make gpu-check                    the reference's kernels on this machine's GPU: right? how fast? needs CUDA's nvcc
##   make bench-grader [N=7]           how long grading takes: compiled anew, unchanged, with the sandbox and without
##   make handout                      what students get: contract, stubs, the built grader; no source of it
##   make gradescope | autolab | prairielearn | classroom | github-workflow   [A=2] [SEED_FILE=F]
##                                     what a platform takes, in build/kits/; with the secret seed of the mark
##   make sanitize | lint | format     tests under ASan and UBSan; clang-tidy; clang-format
##   make sanitize-threads             grading six assignments at a time, under ThreadSanitizer
PACKAGES := g++ cmake ninja-build ccache pkg-config libboost-dev libboost-test-dev libboost-program-options-dev \
            libopenblas-serial-dev libbenchmark-dev libtomlplusplus-dev nlohmann-json3-dev libfmt-dev libseccomp-dev \
            libarchive-dev libpng-dev zlib1g-dev
# What only the project's own tests need: schemas of what the grader writes.
TEST_PACKAGES := libvalijson-dev libxml2-utils
# A browser without a window: the tests of the report's page are skipped where there is none.
OPTIONAL_TEST_PACKAGES := chromium-headless-shell
LINTERS  := clang-format clang-tidy

BUILD      ?= build
SUBMISSION ?= student
SOURCES     = $(shell git ls-files '*.h' '*.cpp' '*.cu')

all: build
help:   ; @sed -n 's/^##//p' Makefile
deps:   ; @.ci/deps $(PACKAGES)
test-deps: ; @.ci/deps $(PACKAGES) $(TEST_PACKAGES)

build: | test-deps
build grader: $(BUILD)/CMakeCache.txt
	@cmake --build $(BUILD) --parallel --target $(if $(filter grader,$@),grader,all)
$(BUILD)/CMakeCache.txt: | deps
	@cmake -S . -B $(BUILD) $$(command -v ninja >/dev/null && echo -G Ninja) $(CMAKE_ARGS)

# Exit code 1 says that a check failed: for a student that is a report, not an error of make.
grade: grader
	@$(BUILD)/grader/grader grade "$(SUBMISSION)" $(if $(A),--assignment $(A)) \
	    $(if $(SEED_FILE),--seed-file "$(SEED_FILE)") --json $(BUILD)/report.json --html $(BUILD)/report.html \
	    $(ARGS) || test $$? -eq 1
explain: grader
	@$(if $(ID),,echo "say which check: make explain ID=2.softmax.ragged (the report shows the names)"; exit 2;) \
	$(BUILD)/grader/grader explain "$(ID)" --report $(BUILD)/report.json --html $(BUILD)/explain.html $(ARGS) || test $$? -eq 1
demo: grader
	@$(BUILD)/grader/grader grade grader/proof/demo --assignment 2 || test $$? -eq 1
emulate: grader
	@$(if $(FILE),,echo "say which program: make emulate FILE=my.cu"; exit 2;) \
	$(BUILD)/grader/grader emulate "$(FILE)" $(ARGS) || test $$? -eq 1
test: build
	@.ci/deps --where-known $(OPTIONAL_TEST_PACKAGES)
	@ctest --test-dir $(BUILD) --output-on-failure --parallel 2
selfcheck soak selfcheck-speed: $(BUILD)/CMakeCache.txt | deps
	@cmake --build $(BUILD) --parallel --target selfcheck
selfcheck:
	@$(BUILD)/grader/selfcheck --pairs 60 $(if $(A),--assignment $(A)) $(ARGS)
soak:
	@$(BUILD)/grader/selfcheck --soak $(or $(N),1000) $(ARGS)
selfcheck-speed:
	@$(BUILD)/grader/selfcheck --speed $(or $(N),50) $(ARGS)
handout gradescope autolab prairielearn classroom github-workflow: $(BUILD)/CMakeCache.txt
	@A="$(A)" ARGS="$(ARGS)" SEED_FILE="$(SEED_FILE)" grader/kits/make_kit.sh $@ $(BUILD)
bench: build
	@$(BUILD)/reference/benchmarks $(if $(PLOT),--plot=$(PLOT)) $(if $(JSON),--benchmark_out=$(JSON)) $(ARGS)
# Without a GPU it says so and succeeds, and so it does without a toolkit to compile kernels.
gpu-check: $(BUILD)/CMakeCache.txt | test-deps
	@if ! grep -q '^CMAKE_CUDA_COMPILER:[^=]*=/' $(BUILD)/CMakeCache.txt; then \
	    echo "gpu-check: no kernel was checked: CMake has found no nvcc (make clean, once there is one in PATH)"; exit; fi; \
	cmake --build $(BUILD) --parallel --target tests gpu_check || exit; failed=0; \
	$(BUILD)/tests --run_test=cuda_matches_cpu,tensor --report_level=short || failed=1; \
	$(BUILD)/grader/gpu_check --json $(BUILD)/gpu-check.json $(ARGS) || failed=1; exit $$failed
bench-grader: $(BUILD)/CMakeCache.txt
	@cmake --build $(BUILD) --parallel --target latency
	@$(BUILD)/grader/latency $(N)
sanitize:
	@$(MAKE) test BUILD=$(BUILD)/sanitize CMAKE_ARGS="-DCMAKE_BUILD_TYPE=Debug -DATTN_SANITIZE=ON"
sanitize-threads:
	@TSAN_OPTIONS=halt_on_error=1 $(MAKE) bench-grader N="1 6" BUILD=$(BUILD)/threads \
	    CMAKE_ARGS="-DCMAKE_BUILD_TYPE=Debug -DATTN_SANITIZE=thread"

format: ; @.ci/deps $(LINTERS) && clang-format -i $(SOURCES)
lint: test-deps
	@.ci/deps $(LINTERS) && clang-format --dry-run -Werror $(SOURCES)
	@cmake -S . -B $(BUILD)/lint -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null  # clang cannot read g++'s
	@run-clang-tidy -quiet -p $(BUILD)/lint '$(CURDIR)/(assignments|reference|grader|datasets)/.*[.]cpp$$'
clean:  ; @rm -rf $(BUILD)

.PHONY: all help deps test-deps build grader grade explain emulate demo test selfcheck selfcheck-speed soak bench bench-grader gpu-check sanitize \
        sanitize-threads format lint clean handout gradescope autolab prairielearn classroom github-workflow
