// An assignment with its parts, which can be opened. Failed checks come first.

function partBody(part) {
    const checks = listOf(part.checks), isStarted = !isNotStarted(part);
    const first = [false, true].map((ofKernels) => mostInformativeFailure(part, ofKernels)).filter(Boolean)
        .filter((check) => check.outcome !== "not_implemented" || !allAre(part, "not_implemented"));
    const shownWith = (check) => first.find((shown) => (shown.kind === "cuda") === (check.kind === "cuda")) ?? null;
    const needsNoDetails = (check) => !first.includes(check) && (isLeftOut(check) ||
        check.outcome === "not_implemented" || check.outcome === "not_compiled" || check.outcome === "skipped");
    const failed = checks.filter((check) => !isPassed(check) && !needsNoDetails(check) && !first.includes(check));
    const seen = (check) => isToBeSeen(check) && isPassed(check);
    const hasMore = (check) => !isCorrectnessCheck(check) || listOf(check.pictures).length > 0;
    const measured = checks.filter((check) => isPassed(check) && hasMore(check) && !seen(check));
    const passed = checks.filter((check) => isPassed(check) && !hasMore(check));
    const withoutDetails = checks.filter(needsNoDetails);
    const notRun = withoutDetails.every((check) => check.outcome !== "not_implemented");
    return el("div", {class: "body"}, standInsOf(part) && el("p", {class: "note"}, standInsOf(part)),
        first.map((check) => checkDetails(check, part, check, isStarted)),
        checks.filter(seen).map((check) => checkDetails(check, part, null, true)),
        alike(failed).map((group) => failedChecks(group, part, shownWith)),
        measured.map((check) => checkDetails(check, part, null, false)),
        withoutDetails.length > 0 && checkList(notRun ? "Not run" : "Not implemented", withoutDetails),
        passed.length > 0 && checkList("Passed", passed));
}

/// The checks in groups that fail in the same way. Speed, growth, and checks with pictures to look at stand alone.
function alike(checks) {
    const groups = new Map();
    for (const check of checks) {
        const key = isCorrectnessCheck(check) && !isToBeSeen(check) ? kindOfFailure(check) : check.id;
        groups.set(key, [...groups.get(key) ?? [], check]);
    }
    return [...groups.values()];
}

/// One check, or several that fail in the same way as one row that can be opened.
function failedChecks(group, part, shownWith) {
    const details = group.map((check) =>
        checkDetails(check, part, shownWith(check), !isCorrectnessCheck(check) || isToBeSeen(check)));
    if (group.length === 1) return details;
    const shown = shownWith(group[0]), {look, word} = markOf(group[0]);
    const same = shown && kindOfFailure(shown) === kindOfFailure(group[0]);
    return el("details", {class: `check alike ${look}`},
        el("summary", {}, markBox(markOf(group[0])), el("h4", {}, `${group.length} ${same ? "more" : "checks"}`),
            el("span", {class: `outcome ${look}`}, word), el("span", {class: "dim"}, "in the same way"),
            el("span", {class: "score"}, `${points(sum(group, (check) => check.points))} / ${points(sum(group, (check) => check.max_points))}`)),
        el("div", {class: "body"}, details));
}

/// A list of checks that need no details.
function checkList(title, checks) {
    return el("div", {class: `check-list ${title === "Passed" ? "of-passed" : ""}`}, el("h4", {}, `${title} (${checks.length})`),
        el("ul", {},
            checks.map((check) => el("li", identityOf(check),
                markBox(markOf(check)), hidden(`${markOf(check).word}: `),
                el("span", {class: "mono"}, check.name || check.id), " ",
                el("span", {class: "dim"},
                    check.outcome === "skipped" && check.message ? check.message : check.about),
                el("span", {class: "score"}, outOf(check))))));
}

/// The mark of a whole part.
function markOfPart(part) {
    if (isAllPassed(part)) return {sign: "\u2713", look: "good"};
    if (isNotStarted(part) || isNothingShown(part)) return {sign: "\u25cb", look: "none"};
    const waits = (check) => isPassed(check) || (check.outcome === "skipped" && !isCorrectnessCheck(check));
    if (listOf(part.checks).every(waits)) return {sign: "\u2013", look: "none"};
    return {sign: listOf(part.checks).filter(isCorrectnessCheck).every(isPassed) ? "~" : "\u2717", look: "bad"};
}

function partDetails(part, id) {
    const mark = markOfPart(part), {look} = mark, open = look === "bad" || Boolean(part.showsPictures);
    return el("details",
        {class: `part ${look}`, id, "data-part": part.function, "data-points": part.points, open},
        el("summary", {}, markBox(mark), el("h3", {}, part.function),
            el("span", {class: `outcome ${look}`}, stateOf(part)), el("span", {class: "score"}, outOf(part))),
        partBody(part));
}

/// One mark for each check. Marks of failed checks link to their details.
function marksOf(part) {
    const one = (check) => {
        const text = `${check.name || check.id}: ${markOf(check).word}, ${outOf(check)} points`;
        const failed = markOf(check).look === "bad";
        return el("li", {title: text},
            failed ? el("a", {href: `#check-${check.id}`}, markBox(markOf(check)), hidden(text))
                   : [markBox(markOf(check)), hidden(text)]);
    };
    return el("ul", {class: "marks"}, listOf(part.checks).map(one));
}

function partsTable(assignment, idOf) {
    return el("table", {class: "parts"},
        el("caption", {class: "hidden"}, `The parts of ${assignment.title ?? ""}`),
        el("thead", {},
            el("tr", {}, ["part", "checks", "points"].map((name) => el("th", {scope: "col"}, name)))),
        el("tbody", {},
            listOf(assignment.parts).map((part, k) => el("tr", {},
                el("th", {scope: "row"}, el("a", {href: `#${idOf(k)}`}, part.function)),
                el("td", {}, marksOf(part)), el("td", {class: "score"}, outOf(part))))));
}

/// The compiler's messages for a source file, or a note that it is missing.
function sourceFile(source) {
    if (source.compiled && !source.messages) return null;
    const title = source.compiled ? `The compiler's warnings for ${source.name}`
        : source.exists ? `${source.name} does not compile`
                        : `${source.name} is missing`;
    const text = source.messages && el("pre", {tabindex: "0", "aria-label": title}, source.messages);
    if (source.compiled) return el("details", {class: "source"}, el("summary", {}, title), text);
    return el("section", {class: "source bad-edge"}, el("h3", {class: "bad"}, title), text);
}

/// Whether the C++ file of an assignment does not compile, so that there is nothing to say about its functions.
function isNotCompiled(assignment) {
    const parts = listOf(assignment.parts);
    return parts.length > 0 && parts.every((part) => listOf(part.checks).every((check) =>
        check.outcome === "not_compiled" || check.outcome === "skipped"));
}

function assignmentSection(assignment) {
    const id = `assignment-${assignment.number}`, idOf = (k) => `part-${assignment.number}-${k}`;
    const parts = listOf(assignment.parts), withParts = !isNotBegun(assignment) && !isNotCompiled(assignment);
    const done = parts.every(isAllPassed) || isNotBegun(assignment);
    return el("section", {class: done ? "assignment done" : "assignment", id, "aria-labelledby": `${id}-title`},
        el("div", {class: "assignment-head"},
            el("h2", {id: `${id}-title`}, el("span", {class: "number"}, String(assignment.number ?? "")), " ",
                assignment.title ?? assignment.name),
            el("span", {class: "score large"}, outOf(assignment))),
        assignment.handout && el("p", {class: "dim mono"}, assignment.handout),
        !isNotHandedIn(assignment) && listOf(assignment.sources).filter((source) => !source.compiled).map(sourceFile),
        isNotBegun(assignment) && el("p", {class: "dim"}, isNotHandedIn(assignment) ? "Not handed in." : "Not begun."),
        withParts && partsTable(assignment, idOf),
        withParts && parts.map((part, k) => partDetails(part, idOf(k))),
        listOf(assignment.sources).filter((source) => source.compiled).map(sourceFile));
}

/// Whether the report is the replay of one check, which `grader explain` writes.
function isReplayOfOneCheck(report) {
    const assignments = listOf(report.assignments), parts = listOf(assignments[0]?.parts);
    return assignments.length === 1 && parts.length === 1 && listOf(parts[0].checks).length === 1 &&
        listOf(assignments[0].sources).length === 0 && !assignments[0].handout;
}

/// A page about one check needs no tables.
function replaySection(report, assignment) {
    const part = assignment.parts[0], check = part.checks[0], {what, command: text} = nextStep(report.next);
    return el("section", {class: "assignment replay", "aria-labelledby": "title"},
        el("div", {class: "assignment-head"},
            el("h1", {id: "title"}, `${part.function}, ${check.kind === "property" ? "property" : "case"} ${check.name}`),
            el("span", {class: `outcome ${markOf(check).look}`}, markOf(check).word)),
        listOf(report.notes).map((note) => el("p", {class: "dim"}, note)),
        standInsOf(part) && el("p", {class: "note"}, standInsOf(part)),
        checkDetails(check, part, check, true),
        text && el("p", {class: "then"}, `When you have made a change (${what}): `, command(text)));
}
