// Draws the report that the page contains.

/// The hatching for NaN and infinity, which all drawings use.
function patterns() {
    return svg("svg", {width: 0, height: 0, "aria-hidden": "true", class: "patterns"},
        svg("defs", {},
            svg("pattern",
                {
                    id: "hatch", width: 6, height: 6,
                    patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)",
                },
                svg("rect", {width: 6, height: 6, class: "hatch-ground"}),
                svg("rect", {width: 2, height: 6, class: "hatch-line"}))));
}

function main() {
    const json = document.getElementById("report").textContent, report = JSON.parse(json);
    // A seed may have more digits than a JavaScript number can hold, so it is read as text.
    report.seed = /^ *"seed": *(\d+),?$/m.exec(json)?.[1] ?? null;
    for (const part of listOf(report.assignments).flatMap((assignment) => listOf(assignment.parts)))
        part.canBeReplayed = report.seed !== null;
    const assignments = listOf(report.assignments), isReplay = isReplayOfOneCheck(report);
    // With one assignment, its pictures are open. With all of them, the page begins with links to them.
    for (const part of listOf(assignments[0]?.parts))
        part.showsPictures = assignments.length === 1 && listOf(part.checks).some(isToBeSeen);
    document.title = `${nameOf(report)}: Attention Lab`;
    const open = el("button", {type: "button"}), theme = el("button", {type: "button"});
    const failures = el("button", {type: "button"});
    document.getElementById("tools").append(open, failures, theme);
    document.body.append(patterns());
    document.getElementById("main").append(
        ...(isReplay ? [replaySection(report, assignments[0])]
                     : [summarySection(report), ...assignments.map((assignment) => assignmentSection(assignment))]),
        footer(report));
    setUpTheme(theme);
    setUpFailuresOnly(failures);
    setUpOpenAllButton(open);
    setUpPlace(document.getElementById("place"));
    setUpPrinting();
    setUpLinks();
}

main();
