// An assignment with its parts, which can be opened. Failed checks come first.

function partBody(part) {
    const shownFailure = mostInformativeFailure(part), checks = listOf(part.checks);
    const needsNoDetails = (check) =>
        isLeftOut(check) || check.outcome === "not_implemented" || check.outcome === "not_compiled";
    const failed =
        checks.filter((check) => !isPassed(check) && !needsNoDetails(check) && check !== shownFailure);
    const hasMore = (check) => !isCorrectnessCheck(check) || listOf(check.pictures).length > 0;
    const measured = checks.filter((check) => isPassed(check) && hasMore(check));
    const passed = checks.filter((check) => isPassed(check) && !hasMore(check));
    const withoutDetails = checks.filter((check) => needsNoDetails(check) && check !== shownFailure);
    const isStarted = !isNotStarted(part);
    return el("div", {class: "body"}, standInsOf(part) && el("p", {class: "note"}, standInsOf(part)),
        shownFailure && checkDetails(shownFailure, part, shownFailure, isStarted),
        failed.map((check) => checkDetails(check, part, shownFailure, !isCorrectnessCheck(check))),
        measured.map((check) => checkDetails(check, part, shownFailure, false)),
        withoutDetails.length > 0 && checkList(isStarted ? "Not run" : "Not implemented", withoutDetails),
        passed.length > 0 && checkList("Passed", passed));
}

/// A list of checks that need no details.
function checkList(title, checks) {
    return el("div", {class: "check-list"}, el("h4", {}, `${title} (${checks.length})`),
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
    return {sign: listOf(part.checks).filter(isCorrectnessCheck).every(isPassed) ? "~" : "\u2717", look: "bad"};
}

function partDetails(part, id) {
    const mark = markOfPart(part), {look} = mark, open = look === "bad";
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
    return el("section", {class: source.compiled ? "source" : "source bad-edge"}, el("h3", {}, title),
        source.messages && el("pre", {tabindex: "0", "aria-label": title}, source.messages));
}

function assignmentSection(assignment) {
    const id = `assignment-${assignment.number}`, idOf = (k) => `part-${assignment.number}-${k}`;
    return el("section", {class: "assignment", id, "aria-labelledby": `${id}-title`},
        el("div", {class: "assignment-head"},
            el("h2", {id: `${id}-title`}, el("span", {class: "number"}, String(assignment.number ?? "")), " ",
                assignment.title ?? assignment.name),
            el("span", {class: "score large"}, outOf(assignment))),
        assignment.handout && el("p", {class: "dim mono"}, assignment.handout), partsTable(assignment, idOf),
        listOf(assignment.sources).map(sourceFile),
        listOf(assignment.parts).map((part, k) => partDetails(part, idOf(k))));
}
