// The checks that fail most.

const kindsInWords = {numeric: "case", property: "property", speed: "speed", growth: "growth", cuda: "kernels"};

function checkRow(check) {
    const failed = listOf(check.failed), of = failed.length + check.passed;
    return el("tr", {"data-check": check.id},
        el("th", {scope: "row"}, el("span", {class: "mono"}, check.name),
            el("span", {class: "dim small"}, ` ${kindsInWords[check.kind] ?? check.kind} of ${nameOfPart(check.part)}`)),
        el("td", {class: "about dim small"}, check.about),
        el("td", {class: "count-cell"}, behind(`${failed.length} of ${of}`, `${check.id} fails`, failed, {check: check.id}),
            shareBar(failed.length, of)),
        el("td", {class: "score"}, points(check.lost)));
}

function checksTable(checks) {
    const heading = (name) => el("th", {scope: "col"}, name);
    return el("table", {class: "checks"}, el("caption", {class: "hidden"}, "Checks by how many students fail them"),
        el("thead", {}, el("tr", {}, heading("check"), heading("what it asks"), heading("failed"), heading("points lost"))),
        el("tbody", {}, checks.map(checkRow)));
}

function checksSection() {
    const checks = listOf(insight.checks);
    if (checks.length === 0) return null;
    return section("checks", "Checks that fail most",
        el("p", {class: "dim"}, "Of the students whose function was called. Points are those of the whole class."),
        firstItems(checks, 12, checksTable));
}
