// The top of the page: the submission, its points, and the next step.

function pointsBar(earned, most) {
    const share = most > 0 && isNumber(earned) ? clamp(earned / most, 0, 1) : 0;
    const bar = el("span", {class: "points-bar", "aria-hidden": "true"}, el("span", {}));
    bar.firstChild.style.width = `${100 * share}%`;
    return bar;
}

function sum(items, pick) {
    return listOf(items).reduce((total, item) => total + (isNumber(pick(item)) ? pick(item) : 0), 0);
}

function stateOfAssignment(assignment) {
    const parts = listOf(assignment.parts);
    if (isNotHandedIn(assignment)) return "not handed in";
    if (isNotBegun(assignment)) return "not begun";
    if (parts.every(isNothingShown)) return "kept back";
    const done = parts.filter(isAllPassed).length;
    return done === parts.length ? "all passed" : `${done} of ${plural(parts.length, "part")} passed`;
}

function facts(report) {
    return el("dl", {class: "facts"}, [
        ["seed", report.seed ?? "secret"],
        ["took", report.duration_s > 0 ? `${digits(report.duration_s, 3)} s` : null],
        ["isolation", report.isolation || "?"]
    ].filter(([, value]) => value !== null).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

function assignmentsTable(assignments) {
    const heading = (name) => el("th", {scope: "col"}, name);
    return el("table", {class: "assignments"}, el("caption", {class: "hidden"}, "Points by assignment"),
        el("thead", {},
            el("tr", {}, heading("assignment"), el("td", {}), heading("points"), heading("state"))),
        el("tbody", {},
            assignments.map((assignment) => el("tr", {},
                el("th", {scope: "row"},
                    el("span", {class: "number"}, String(assignment.number ?? "")), " ",
                    el("a", {href: `#assignment-${assignment.number}`},
                        assignment.title ?? assignment.name ?? "?")),
                el("td", {class: "bar-cell"}, pointsBar(assignment.points, assignment.max_points)),
                el("td", {class: "score"}, outOf(assignment)),
                el("td", {class: "dim"}, stateOfAssignment(assignment))))));
}

function nextBox(report) {
    const {what, command: text} = nextStep(report.next);
    if (!what) return null;
    return el("section", {class: "next", "aria-labelledby": "next-title"},
        el("h2", {id: "next-title"}, "Next"), el("p", {}, what[0].toUpperCase() + what.slice(1)),
        text && el("p", {}, "Then: ", command(text)));
}

function summarySection(report) {
    const assignments = listOf(report.assignments), notes = listOf(report.notes);
    const earned = sum(assignments, (each) => each.points);
    const most = sum(assignments, (each) => each.max_points);
    return el("section", {class: "summary", "aria-labelledby": "title"},
        el("div", {class: "assignment-head"}, el("h1", {id: "title"}, report.submission || "A submission"),
            el("span", {class: "score large"}, el("b", {}, points(earned)), ` / ${points(most)}`,
                hidden(" points"))),
        facts(report),
        notes.length > 0 && el("ul", {class: "notes"}, notes.map((note) => el("li", {}, note))),
        nextBox(report),
        assignments.length > 0 ? assignmentsTable(assignments)
                               : el("p", {class: "dim"}, "This report holds no assignment."));
}
