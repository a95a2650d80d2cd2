## A folder for a course of the Attention Lab. What you can change: assignments/README.md.
##   make grade [A=2] [SUBMISSION=ZIP]    grade student/, or another folder or archive
##   make grade SEED_FILE=secret.txt      the mark: secret inputs, and the cases of secret.toml
##   make list [A=2]                      the path of the course; one assignment's functions, cases, points
##   make handout                         what students get, in kits/
##   make gradescope | autolab | prairielearn | classroom | github-workflow   [A=2 | A=all] [SEED_FILE=F]
##                                        packages for this platform, one for each assignment, in kits/; A=all: one for all
## COURSE=FILE chooses the assignments; more options: ARGS=--no-speed, and others (grader grade --help). For a whole class:
## grader class --help
SUBMISSION ?= student
TYPED      := SUBMISSION A COURSE SEED_FILE ARGS
$(foreach name,$(TYPED),$(eval override $(name) := $$(value $(name))))
export $(TYPED)
of-course = $${COURSE:+--course "$$COURSE"}
of-assignment = $${A:+--assignment "$$A"}

help: ; @sed -n 's/^##//p' Makefile
grade:
	@grader grade "$$SUBMISSION" $(of-assignment) $(of-course) $${SEED_FILE:+--seed-file "$$SEED_FILE"} \
	    --json report.json --html report.html $$ARGS || test $$? -eq 1
list:
	@grader list $(of-assignment) $(of-course)
handout: ; @attention-lab kit handout
gradescope autolab prairielearn classroom github-workflow:
	@folders=$$(grader list --folders $(of-course)) || exit 2; \
	for folder in $${A:-$$(echo "$$folders" | sed -n 's/^course //p')}; do \
	    number=$$(expr "$$folder" : '0*\([0-9]*\)'); \
	    kits=kits; [ -n "$$A" ] || kits=$$kits/$$folder; \
	    A=$$number attention-lab kit $@ "$$kits" || exit; \
	done
.PHONY: help grade list handout gradescope autolab prairielearn classroom github-workflow
