// The top of the page: the submission, its points, what to do, and the next step.

const mistakeKinds = ["not_compiled", "crashed", "timed_out", "wrong"];

/// A bar of an assignment's points: right, wrong, too slow; what is left is not written or not counted yet.
function pointsBar(assignment, findings) {
    const most = assignment.max_points, lost = (kinds) =>
        sum(findings.filter((finding) => kinds.includes(finding.kind)), (finding) => finding.cost);
    const pieces = [
        ["right", assignment.points], ["wrong", lost(mistakeKinds)], ["slow", lost(["slow"])]
    ];
    const bar = el("span", {class: "points-bar", "aria-hidden": "true"});
    for (const [name, value] of pieces) {
        if (!(most > 0) || !(value > 0)) continue;
        const piece = el("span", {class: name});
        piece.style.width = `${100 * clamp(value / most, 0, 1)}%`;
        bar.append(piece);
    }
    return bar;
}

function sum(items, pick) {
    return listOf(items).reduce((total, item) => total + (isNumber(pick(item)) ? pick(item) : 0), 0);
}

const findingWords = {
    not_compiled: "does not compile", crashed: "stopped early", timed_out: "timed out", wrong: "wrong",
    missing: "to write", slow: "slow", waiting: "not counted yet",
};

/// "2 wrong, 1 slow": how many findings there are of each kind.
function countsOf(findings) {
    return Object.entries(findingWords)
        .map(([kind, words]) => [findings.filter((finding) => finding.kind === kind).length, words])
        .filter(([count, words]) => count > 0 && words !== findingWords.waiting)
        .map(([count, words]) => words === findingWords.not_compiled && count === 1 ? words : `${count} ${words}`)
        .join(", ");
}

function stateOfAssignment(assignment, findings) {
    const parts = listOf(assignment.parts);
    if (isNotHandedIn(assignment)) return "not handed in";
    if (isNotBegun(assignment)) return "not begun";
    if (parts.length > 0 && parts.every(isNothingShown)) return "kept back";
    return countsOf(findings) || (findings.length > 0 ? findingWords.waiting : "all passed");
}

/// The last folder of a submission's path, or the archive's name.
function nameOf(report) {
    return String(report.submission ?? "").replace(/\/+$/, "").split("/").at(-1) || "A submission";
}

/// A place of the course with what is graded of it: an assignment, or only the parts of some of its steps.
function gradedAt(step, assignment) {
    if (!assignment || !step.steps) return {...step, ...assignment};
    const parts = listOf(assignment.parts).filter((part) => step.steps.includes(part.step));
    return {
        ...assignment, ...step, parts, points: sum(parts, (part) => part.points),
        max_points: sum(parts, (part) => part.max_points)
    };
}

/// The assignments of the course in its order. Those that this report does not grade have no parts; they can be unfolded.
function assignmentsTable(assignments, findings, path) {
    const heading = (name) => el("th", {scope: "col"}, name);
    const all = path.map((step) => gradedAt(step, assignments.find((each) => each.number === step.number)));
    const row = (each) => {
        const {number, title, parts, later, builds_on: on = []} = each;
        const own = findings.filter((finding) => finding.assignment === number &&
            (!each.steps || !finding.function || listOf(parts).some((part) => part.function === finding.function)));
        return el("tr", {},
            el("th", {scope: "row"}, el("span", {class: "number"}, String(number)), " ",
                parts ? el("a", {href: `#assignment-${number}`}, title) : title),
            el("td", {class: "bar-cell"}, parts && pointsBar(each, own)),
            el("td", {class: "score"}, parts && outOf(each)),
            el("td", {class: "dim"}, [parts ? stateOfAssignment(each, own) : later && "later", on[0] && `builds on ${on.join(", ")}`]
                .filter(Boolean).join(", ")));
    };
    const table = (rows) => el("table", {class: "assignments"}, el("caption", {class: "hidden"}, "Points by assignment"),
        el("thead", {},
            el("tr", {}, heading("assignment"), el("td", {}), heading("points"), heading("state"))),
        el("tbody", {}, rows.map(row)));
    const rows = all[0] ? all : assignments, others = rows.filter(({parts}) => !parts);
    return [table(rows.filter(({parts}) => parts)),
        others.length > 0 && el("details", {class: "others"}, el("summary", {}, `The other ${others.length} of the course`), table(others))];
}

/// Links to the pictures that handouts promise.
function picturesToSee(assignments) {
    const links = assignments.flatMap(({parts}) => listOf(parts).flatMap((part) => listOf(part.checks).filter(isToBeSeen)
        .map((check) => el("a", {href: `#check-${check.id}`}, `${part.function}, ${check.name}`))));
    return links.length > 0 && el("p", {class: "to-see"}, links.length === 1 ? "A picture to look at: " : "Pictures to look at: ",
        links.map((link, k) => [k > 0 && " \u00b7 ", link]));
}

/// Where a finding is told in full.
function linkOf(finding) {
    return finding.check ? `#check-${finding.check}` : `#assignment-${finding.assignment}`;
}

/// What costs points, in the order in which to work on it. What is not begun is in the table below.
function findingsList(report, findings) {
    const shown = findings.filter((finding) => finding.kind !== "missing" || finding.function);
    if (shown.length === 0) return null;
    const mistakes = shown.filter((finding) => mistakeKinds.includes(finding.kind));
    const title = mistakes.length > 0 ? plural(mistakes.length, "mistake") : "What is left";
    const item = (finding) => el("li", {class: finding.kind},
        el("span", {class: "cost score"}, finding.cost > 0 ? `\u2212${points(finding.cost)}` : ""),
        el("span", {},
            el("a", {href: linkOf(finding)}, finding.subject), `: ${finding.kind === "waiting" ? "not counted yet. " : ""}`,
            finding.what, finding.place && !finding.what.includes(finding.place) &&
                [" ", el("span", {class: "mono dim"}, finding.place)]));
    const most = 8, box = el("ol", {class: "findings"}, shown.slice(0, most).map(item));
    return el("section", {"aria-labelledby": "findings-title"}, el("h2", {id: "findings-title"}, title), box,
        shown.length > most && el("details", {class: "more"},
            el("summary", {}, `${shown.length - most} more`), el("ol", {class: "findings"}, shown.slice(most).map(item))));
}

function nextBox(report) {
    const {what, command: text} = nextStep(report.next);
    if (!what) return null;
    return el("section", {class: "next", "aria-labelledby": "next-title"},
        el("h2", {id: "next-title"}, "Next"), el("p", {}, breakable(what[0].toUpperCase() + what.slice(1))),
        text && el("p", {}, "Then: ", command(text)));
}

function summarySection(report) {
    const assignments = listOf(report.assignments), notes = listOf(report.notes), findings = listOf(report.findings);
    const earned = sum(assignments, (each) => each.points);
    const most = sum(assignments, (each) => each.max_points);
    return el("section", {class: "summary", "aria-labelledby": "title"},
        el("div", {class: "assignment-head"}, el("h1", {id: "title"}, nameOf(report)),
            el("span", {class: "score large"}, el("b", {}, points(earned)), ` / ${points(most)}`,
                hidden(" points"))),
        nextBox(report), findingsList(report, findings), picturesToSee(assignments),
        assignments.length > 0 ? assignmentsTable(assignments, findings, report.path ?? [])
                               : el("p", {class: "dim"}, "This report holds no assignment."),
        notes.length > 0 && el("ul", {class: "notes"}, notes.map((note) => el("li", {}, note))));
}

/// The foot of the page: how the submission was graded.
function footer(report) {
    return el("footer", {}, el("dl", {class: "facts"}, [
        ["submission", report.submission || "?"], ["seed", report.seed ?? "secret"],
        ["took", report.duration_s > 0 && `${digits(report.duration_s, 3)} s`], ["graded by", report.grader]
    ].filter(([, value]) => value).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))));
}
