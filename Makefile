## Attention Lab. CMake builds the project; these are the commands to type.
## For students:
##   make grade [A=2]          grade student/; A: only this assignment
##                             SUBMISSION=ZIP: another folder, or an archive
##                             ARGS="--hints question": hints instead of names
##   make watch [A=2]          grade again whenever a file is saved; Ctrl-C ends
##   make explain ID=..        a check of the report with all its numbers
##                             ID=2.softmax.ragged; the report shows the names
##   make debug ID=..          gdb at your function, in the call of that check
##   make example [A=2]        a small worked example of every function
##                             ARGS="--impl student": yours beside it
##   make quiz [A=2]           Dimensions? Asks for the shapes of arrays
##   make list [A=2]           the path of the course; functions, cases, points
##   make emulate FILE=my.cu   run a CUDA program that you trust without a GPU
##   make show A=6             a trained model with your functions
##   make train MODEL=digits   train a model; make train lists the others
##   make ask Q="why masks?"   where the course says something about it
##                             ARGS="--modules student": with your functions
##   make demo                 grade a sample: what a report looks like
## For instructors:
##   make grade SEED_FILE=F    the mark: secret inputs, and cases of secret.toml
##   make grade COURSE=eecs498 the assignments of a course
##                             COURSE as well: list, watch, example, kits
##   make class-program        the program of `grader class`, for whole classes
##   make handout              what students get: the contract, stubs, a grader
##   make KIT [A=2 | A=all]    a package for a platform, in build/kits/; KIT is
##                             gradescope, autolab, prairielearn, classroom or
##                             github-workflow; SEED_FILE=F: the seed of the mark
##   make package              the grader for other machines: a .deb, an archive
##   make stubs A=9            write the files of student/ that are missing
##   make selfcheck [A=2]      the proof of the grader: it names every mistake
## For developers: make help-developers
###   make                              build everything
###   make test [SAMPLE=TEXT] [ALL=1]   the project's own tests: all short ones, and of the long ones a sixth, drawn by the commit, or
###                                     with ALL=1 all of them
###   make test-unit                    the tests to run on every save
###   make test-all                     all tests and proofs, with nothing left out: more than an hour
###   make format                       clang-format
###   make lint [MINUTES=10]            clang-tidy over the files that the branch changed; on main, that the last day changed
###   make lint ALL=1                   the same over all files
###   make sanitize                     tests under ASan and UBSan
###   make sanitize-threads             grade six assignments at a time under ThreadSanitizer
###   make kill-matrix [A=2]            which systematic edits of the plain loops no check of a rubric notices
###   make soak [N=1000]                grade right, wrong and hostile submissions N times; check that nothing changes
###   make fuzz [SECONDS=3600]          damaged sources, archives and rubrics, guided by coverage; needs clang
###   make selfcheck-speed [N=50]       measure three submissions N times each, half of them on a busy machine
###   make selfcheck-growth [N=50]      the same for growth: right solutions lose no point, one power more does; A=2: only this one
###   make bench [PLOT=F.svg] [JSON=F]  speed ratios: plain loops, OpenBLAS, fused; PyTorch and a GPU if available
###   make bench-grader [N=7]           how long grading takes: first time and unchanged, with the sandbox and without
###   make gpu-check                    check and time the reference's kernels on this machine's GPU; needs nvcc
###   make gpu-check-pack               the same as one archive, for another machine with a GPU, a driver and nothing else
###   make test-arm64                   builds for ARM with a cross compiler and tries it on qemu-user
###   make test-elsewhere [SYSTEMS=debian-13] [TESTS=test]
###                                     grade and unit tests (or all tests) on Debian 12 and 13 and on Ubuntu 24.04, each made from
###                                     its packages, with g++ 12 to 14 and clang; needs root
###   make test-package                 installs the package on a bare Debian 12 and grades there; needs root
###   make deps-cluster                 installs a Slurm for the tests of grader class on a cluster
###   make developer-deps               installs what .devcontainer/ has besides: gdb, clangd, a browser for the tests
###   make clean                        removes build/
PACKAGES := g++ cmake ninja-build ccache pkg-config libboost-dev libboost-test-dev libboost-program-options-dev \
            libopenblas-serial-dev libbenchmark-dev libtomlplusplus-dev nlohmann-json3-dev libfmt-dev libseccomp-dev \
            libarchive-dev libpng-dev zlib1g-dev libsqlite3-dev nettle-dev libyaml-dev libutf8proc-dev tzdata
# Needed only by the project's own tests, which validate the grader's output files.
TEST_PACKAGES := bzip2 libvalijson-dev libxml2-utils xz-utils
# A browser without a window, numpy and a comparer of programs. Without them, the tests of the report's page, of the Python
# module and of similar submissions are skipped.
OPTIONAL_TEST_PACKAGES := chromium-headless-shell python3-numpy similarity-tester
# A cluster of one node, for the test of `grader class grade --engine slurm`, which is skipped without them.
CLUSTER_PACKAGES := slurmctld slurmd slurm-client munge
LINTERS  := clang-format clang-tidy
# What .devcontainer/ installs besides: for editors, debuggers, and tests that are otherwise skipped.
DEVELOPER_PACKAGES := git gdb clangd $(OPTIONAL_TEST_PACKAGES)

BUILD      ?= build
SUBMISSION ?= student
SOURCES     = $(shell git ls-files '*.h' '*.cpp' '*.cu')
# What is typed is text, such as the name of a file that a student chose: make does not expand it, and recipes take it from
# the environment, in quotes: "$$SUBMISSION". ARGS are words without quotes: $$ARGS.
# `make grade a=2`, `make grade F=softmax` and `make grade 2` mean A=2, A=softmax and A=2. So do id=.. and model=..
NUMBERS    := $(filter $(shell seq 99),$(MAKECMDGOALS))
typed       = $(if $(filter command%,$(origin $(1))),$(value $(1)))
ifeq ($(origin A),undefined)
A          := $(or $(call typed,a),$(call typed,F),$(firstword $(NUMBERS)))
endif
ifeq ($(origin ID),undefined)
ID         := $(call typed,id)
endif
ifeq ($(origin MODEL),undefined)
MODEL      := $(call typed,model)
endif
ifeq ($(origin Q),undefined)
Q          := $(call typed,q)
endif
TYPED      := SUBMISSION A a F ID id FILE COURSE SEED_FILE MODEL model Q q PLOT JSON ARGS
$(foreach name,$(TYPED),$(eval override $(name) := $$(value $(name))))
export $(TYPED)

all: build
help:   ; @sed -n '/^###/d; s/^##//p' Makefile
help-developers: ; @sed -n 's/^###//p' Makefile
deps:   ; @.ci/deps $(PACKAGES)
test-deps: ; @.ci/deps $(PACKAGES) $(TEST_PACKAGES)
developer-deps: ; @.ci/deps $(DEVELOPER_PACKAGES)
deps-cluster: ; @.ci/deps $(CLUSTER_PACKAGES)

build: | test-deps
build: $(BUILD)/CMakeCache.txt
	@cmake --build $(BUILD) --parallel --target all
PARTS = speed kernels
grade explain debug list example quiz: PARTS =
# build-parts TARGETS: the first build shows its progress. A later one is silent, but if it takes long it says that it works.
build-parts = if [ -x $(BUILD)/grader/grader ] && grep -q '^CMAKE_GENERATOR:.*=Ninja$$' $(BUILD)/CMakeCache.txt; then \
	    (sleep 5 >/dev/null; echo "Building what has changed ..") & note=$$!; \
	    cmake --build $(BUILD) --parallel --target $(1) -- --quiet >$(BUILD)/build.log 2>&1; code=$$?; \
	    kill $$note 2>/dev/null; [ $$code -eq 0 ] || cat $(BUILD)/build.log; exit $$code; \
	else cmake --build $(BUILD) --parallel --target $(1); fi
grader: $(BUILD)/CMakeCache.txt
	@$(call build-parts,grader $(PARTS))
# Stubs have no statement but (void)..; as soon as a submission has one, it needs the measurements of speed, and for
# statements in .cu files the emulator of kernels. Only the grader reads submissions.
needed: grader
	@needs=$$($(BUILD)/grader/grader needs "$$SUBMISSION") || exit; [ -z "$$needs" ] || { $(call build-parts,$$needs); }
$(BUILD)/CMakeCache.txt: | deps
	@cmake -S . -B $(BUILD) $$(command -v ninja >/dev/null && echo -G Ninja) $(CMAKE_ARGS)

# Exit code 1 means that a check failed. For students this is a normal report, so make succeeds.
of-course = $${COURSE:+--course "$$COURSE"}
of-assignment = $${A:+--assignment "$$A"}
grade: needed
	@$(BUILD)/grader/grader grade "$$SUBMISSION" $(of-assignment) $(of-course) \
	    $${SEED_FILE:+--seed-file "$$SEED_FILE"} --json $(BUILD)/report.json --html $(BUILD)/report.html \
	    $$ARGS || test $$? -eq 1
watch: grader
	@$(BUILD)/grader/grader watch "$$SUBMISSION" $(of-assignment) $(of-course) --json $(BUILD)/report.json $$ARGS
explain: needed
	@[ -n "$$ID" ] || { echo "which check? Type make explain ID=2.softmax.ragged (the report has the names)"; exit 2; }; \
	$(BUILD)/grader/grader explain "$$ID" --report $(BUILD)/report.json --html $(BUILD)/explain.html $$ARGS || test $$? -eq 1
# Runs the student's code outside of the sandbox.
debug: needed
	@[ -n "$$ID" ] || { echo "which check? Type make debug ID=2.softmax.ragged (the report has the names)"; exit 2; }; \
	$(BUILD)/grader/grader debug "$$ID" --report $(BUILD)/report.json $$ARGS
example: grader
	@$(BUILD)/grader/grader example $(of-assignment) $(of-course) $$ARGS || test $$? -eq 1
show: $(BUILD)/CMakeCache.txt | deps
	@[ -n "$$A" ] || { echo "which assignment? Type make show A=6"; exit 2; }; cmake --build $(BUILD) --parallel --target show
	@$(BUILD)/grader/show --assignment "$$A" "$$SUBMISSION" --html $(BUILD)/show.html $$ARGS || test $$? -eq 1
quiz: grader
	@$(BUILD)/grader/grader quiz $(of-assignment) $(of-course) $$ARGS
list: grader
	@$(BUILD)/grader/grader list $(of-assignment) $(of-course)
demo: grader
	@$(BUILD)/grader/grader grade grader/proof/demo --assignment 2 --json $(BUILD)/report.json --html $(BUILD)/report.html || test $$? -eq 1
# The weights go to build/MODEL.safetensors, the page to build/MODEL.html. A training without attention, or without
# feed-forward networks, stands beside the one with it.
train: $(BUILD)/CMakeCache.txt | deps
	@[ -n "$$MODEL" ] || { printf 'which model? Type make train MODEL=digits, or another one of\n  three_sentences recall sums translation bottleneck captions alignment little_data masked transformer text\n'; exit 2; }; \
	cmake --build $(BUILD) --parallel --target train
	@$(BUILD)/reference/train "$$MODEL" $$(case "$$MODEL" in (translation|bottleneck|captions) echo "--beside $${MODEL}_without_attention";; (sums) echo "--beside sums_without_feed_forward";; esac) \
	    --save "$(BUILD)/$$MODEL.safetensors" --html "$(BUILD)/$$MODEL.html" --json "$(BUILD)/$$MODEL.json" $$ARGS || test $$? -eq 1
# A question may begin with a dash.
ask: $(BUILD)/CMakeCache.txt | deps
	@[ -n "$$Q" ] || { echo 'which question? Type make ask Q="why divide by the root"'; exit 2; }
	@$(call build-parts,ask)
	@$(BUILD)/grader/ask --submission "$$SUBMISSION" --html $(BUILD)/ask.html $$ARGS -- "$$Q" || test $$? -eq 1
emulate: grader
	@[ -n "$$FILE" ] || { echo "which program? Type make emulate FILE=my.cu"; exit 2; }; \
	$(BUILD)/grader/grader emulate "$$FILE" $$ARGS || test $$? -eq 1
stubs: $(BUILD)/CMakeCache.txt | deps
	@[ -n "$$A" ] || { echo "which assignment? Type make stubs A=9"; exit 2; }; cmake --build $(BUILD) --target contract
	@for d in assignments/$$(printf %02d "$$A")_*; do $(BUILD)/grader/contract --stubs $$d/$${d#*_}.h student; done
test test-unit: test-programs
test-programs: $(BUILD)/CMakeCache.txt | test-deps
	@.ci/deps --optional $(OPTIONAL_TEST_PACKAGES)
	@cmake --build $(BUILD) --parallel --target tests
# More than processors, because some tests mostly wait.
JOBS = $(shell expr $$(nproc) + 2)
# The commit seeds the draw, so a checkout has the same tests on every day and machine. SAMPLE=TEXT draws others.
SAMPLE = $(or $(shell git rev-parse --short=8 HEAD 2>/dev/null),fixed)
test test-unit: export ATTN_SAMPLE = $(SAMPLE)
test:
	@echo "$(if $(ALL),All long tests run with the cases,A sixth of the long tests runs: those) that $(SAMPLE) draws." \
	    "(make test SAMPLE=$(SAMPLE) draws it again; make test-all runs all.)"
	@ctest --test-dir $(BUILD) --output-on-failure --parallel $(JOBS) --label-exclude slow \
	    $(if $(ALL),,--exclude-regex "$$(.ci/left-out $(BUILD) '$(SAMPLE)')")
test-unit:
	@ctest --test-dir $(BUILD) --output-on-failure --parallel $(JOBS) --label-regex unit
test-all: build
	@.ci/deps --optional $(OPTIONAL_TEST_PACKAGES)
	@cmake --build $(BUILD) --target proofs
	@ctest --test-dir $(BUILD) --output-on-failure --parallel $(JOBS)
test-arm64: $(BUILD)/CMakeCache.txt
	@.ci/deps g++-aarch64-linux-gnu qemu-user ninja-build
	@grader/testing/arm64/packages.sh $(BUILD)/arm64/packages
	@ctest --test-dir $(BUILD) --output-on-failure --verbose --tests-regex '^arm64$$'
test-elsewhere:
	@.ci/deps mmdebstrap bubblewrap
	@TESTS="$(or $(TESTS),test-unit)" .ci/elsewhere $(BUILD)/elsewhere $(SYSTEMS)
selfcheck soak selfcheck-speed selfcheck-growth kill-matrix: selfcheck-program
class-program: $(BUILD)/CMakeCache.txt | deps
	@cmake --build $(BUILD) --parallel --target grader_class
selfcheck-program: $(BUILD)/CMakeCache.txt | deps
	@cmake --build $(BUILD) --parallel --target selfcheck
selfcheck:
	@$(BUILD)/grader/selfcheck --pairs 60 $(of-assignment) $$ARGS
soak:
	@$(BUILD)/grader/selfcheck --soak $(or $(N),1000) $$ARGS
kill-matrix:
	@$(BUILD)/grader/selfcheck --edits $(of-assignment) $$ARGS
selfcheck-speed:
	@$(BUILD)/grader/selfcheck --speed $(or $(N),50) $$ARGS
selfcheck-growth:
	@$(BUILD)/grader/selfcheck --growth $(or $(N),50) $(of-assignment) $$ARGS
fuzz:
	@.ci/deps clang && cmake -S grader/proof/fuzz -B $(BUILD)/fuzz -D CMAKE_CXX_COMPILER=clang++ >/dev/null
	@cmake --build $(BUILD)/fuzz --parallel && mkdir -p $(BUILD)/fuzz/corpus
	@$(BUILD)/fuzz/fuzz $(BUILD)/fuzz/corpus grader/emulator/kernels reference student assignments -max_total_time=$(or $(SECONDS),3600) \
	    -timeout=60 -max_len=8192 -print_final_stats=1 -artifact_prefix=$(BUILD)/fuzz/ $$ARGS
handout: $(BUILD)/CMakeCache.txt
	@grader/kits/make_kit.sh $@ $(BUILD)
# A kit for each assignment, because platforms have one place for each; A=2: only this one; A=all: one kit for all.
gradescope autolab prairielearn classroom github-workflow: grader
	@folders=$$($(BUILD)/grader/grader list --folders $(of-course)) || exit 2; \
	for folder in $${A:-$$(echo "$$folders" | sed -n 's/^course //p')}; do \
	    number=$$(expr "$$folder" : '0*\([0-9]*\)'); \
	    kits=$(BUILD)/kits; [ -n "$$A" ] || kits=$$kits/$$folder; \
	    A=$$number grader/kits/make_kit.sh $@ $(BUILD) "$$kits" || exit; \
	done
package: $(BUILD)/CMakeCache.txt | deps
	@.ci/deps dpkg-dev file
	@grader/package/make_package.sh $(BUILD)
test-package: $(BUILD)/CMakeCache.txt | deps
	@.ci/deps dpkg-dev file mmdebstrap bubblewrap
	@grader/package/install_test.sh $(BUILD)
bench: build
	@$(BUILD)/reference/benchmarks $${PLOT:+"--plot=$$PLOT"} $${JSON:+"--benchmark_out=$$JSON"} $$ARGS
	@! nvidia-smi -L 2>/dev/null | grep -q "GPU 0" || $(MAKE) --no-print-directory gpu-check ARGS=
# Without a GPU, or without nvcc, it says so and succeeds.
needs-nvcc = if ! grep -q '^CMAKE_CUDA_COMPILER:[^=]*=/' $(BUILD)/CMakeCache.txt; then \
    echo "$@: no kernel was $(1), because CMake found no nvcc. When nvcc is installed, run make clean first."; exit; fi
gpu-check: $(BUILD)/CMakeCache.txt | deps
	@$(call needs-nvcc,checked); cmake --build $(BUILD) --parallel --target gpu_check && \
	$(BUILD)/grader/gpu_check --assignments assignments --datasets datasets --json $(BUILD)/gpu-check.json $$ARGS
gpu-check-pack: $(BUILD)/CMakeCache.txt | deps
	@$(call needs-nvcc,packed); cmake --build $(BUILD) --parallel --target gpu_check_to_carry && rm -rf $(BUILD)/gpu_check && \
	cmake --install $(BUILD) --component gpu_check --prefix $(BUILD)/gpu_check --strip >/dev/null && \
	tar -C $(BUILD) -czf $(BUILD)/gpu_check.tar.gz gpu_check && echo "Wrote $(BUILD)/gpu_check.tar.gz. Copy it to the \
	machine with the GPU, and type there:  tar -xf gpu_check.tar.gz && gpu_check/gpu_check --json gpu-check.json"
bench-grader: $(BUILD)/CMakeCache.txt
	@cmake --build $(BUILD) --parallel --target latency
	@$(BUILD)/grader/latency $(N)
sanitize:
	@$(MAKE) test ALL=1 BUILD=$(BUILD)/sanitize CMAKE_ARGS="-DCMAKE_BUILD_TYPE=Debug -DATTN_SANITIZE=ON"
sanitize-threads:
	@TSAN_OPTIONS=halt_on_error=1 $(MAKE) bench-grader N="1 6" BUILD=$(BUILD)/threads \
	    CMAKE_ARGS="-DCMAKE_BUILD_TYPE=Debug -DATTN_SANITIZE=thread"

format: ; @.ci/deps $(LINTERS) && clang-format -i $(SOURCES)
# With ALL clang-tidy reads the files of a folder together: a file alone takes as long, because it is mostly headers. It warns of
# such includes, and of declarations that a file before has made. The emulator needs a newer clang.
lint: test-deps
	@.ci/deps $(LINTERS) && clang-format --dry-run -Werror $(SOURCES)
ifndef ALL
	@MINUTES=$(or $(MINUTES),10) .ci/tidy-changes
else
	@cmake -S . -B $(BUILD)/lint_together -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null
	@cmake --build $(BUILD)/lint_together --target generated_sources packed_loops >/dev/null
	@run-clang-tidy -quiet -p $(BUILD)/lint_together -checks=-bugprone-suspicious-include,-readability-redundant-declaration \
	    '^(?!.*/(emulator/together/|kernel_exports))($(CURDIR)/(assignments|reference|grader|datasets)|.*/together)/.*[.]cpp$$'
endif
clean:  ; @rm -rf $(BUILD)

# make says this itself: a shell could run what somebody typed as the name.
.DEFAULT: ; $(error there is no command $@. Type make help)

ifneq ($(NUMBERS),)
.PHONY: $(NUMBERS)
$(NUMBERS): ; @[ "$(MAKECMDGOALS)" != "$@" ] || { echo "make $@: what to do? Type make grade A=$@"; exit 2; }
endif

.PHONY: all help help-developers deps test-deps developer-deps deps-cluster build grader needed grade watch explain debug emulate train show ask example quiz list demo stubs test test-unit test-all test-arm64 test-elsewhere \
        test-programs class-program selfcheck selfcheck-program selfcheck-speed selfcheck-growth kill-matrix soak fuzz bench bench-grader \
        gpu-check gpu-check-pack sanitize sanitize-threads format lint clean handout gradescope autolab prairielearn classroom \
        github-workflow package test-package
