// How the points are distributed, in total and for each part.

/// Columns, one for each tenth of the points and one for all of them.
function histogram(shares, title, look = "") {
    const bins = listOf(shares.bins), most = Math.max(1, ...bins.map((bin) => listOf(bin.students).length));
    const column = (bin) => {
        const students = listOf(bin.students), bar = el("span", {class: "column"});
        bar.style.height = `${100 * students.length / most}%`;
        const box = behind("", `${title}: ${bin.share} of the points`, students, {look: "column-box"});
        box.append(hidden(`${bin.share}: ${plural(students.length, "student")}`),
            el("span", {class: "column-count", "aria-hidden": "true"}, students.length > 0 ? students.length : ""), bar);
        return box;
    };
    const labels = new Map([[0, "0 %"], [5, "50 %"], [10, "all"]]);
    return el("div", {class: `histogram shares ${look}`}, el("div", {class: "columns"}, bins.map(column)),
        el("div", {class: "column-labels", "aria-hidden": "true"}, bins.map((bin, k) => el("span", {}, labels.get(k) ?? ""))));
}

function quartilesInWords(shares) {
    if (!isNumber(shares.median)) return "nothing was graded";
    const words = `mean ${percent(shares.mean)}, median ${percent(shares.median)}, half of the class between ` +
        `${percent(shares.lower_quartile)} and ${percent(shares.upper_quartile)}`;
    return words.replaceAll(" %", "\u00a0%");
}

const outcomesInWords = {not_finite: "NaN or infinity", kernel_error: "kernel error", threw: "threw an exception"};

function outcomeInWords(name) {
    return outcomesInWords[name] ?? name.replaceAll("_", " ");
}

/// How the functions of a part failed, the most frequent first.
function waysToFail(part) {
    const name = part.function;
    const ways = [["not written", listOf(part.not_written)], ["does not compile", listOf(part.not_compiled)],
        ...Object.entries(part.failed ?? {}).map(([outcome, students]) => [outcomeInWords(outcome), listOf(students)])];
    const item = ([words, students]) => el("li", {}, behind(String(students.length), `${name}: ${words}`, students), ` ${words}`);
    return el("ul", {class: "ways"},
        ways.filter(([, students]) => students.length > 0).sort((a, b) => b[1].length - a[1].length).map(item));
}

function partFigure(part, number) {
    const hardest = insight.hardest === number && insight.parts.length > 1, shares = part.shares ?? {};
    return el("figure", {class: "part-figure", "data-part": part.function},
        el("figcaption", {}, el("b", {class: "mono"}, nameOfPart(number)), hardest && el("span", {class: "tag"}, "hardest"),
            el("span", {class: "mean"}, `${percent(shares.mean)} of ${points(part.max_points)} points`)),
        histogram(shares, nameOfPart(number), "small"), waysToFail(part));
}

function pointsSection() {
    const parts = listOf(insight.parts), most = points(insight.max_points);
    if (listOf(insight.graded).length === 0) return null;
    return section("points", "Points",
        el("p", {class: "dim"}, `The attempts that count, before anything is taken off for being late. Out of ${most}: ` +
            `${quartilesInWords(insight.total)}.`),
        el("figure", {class: "total-figure"}, el("figcaption", {class: "hidden"}, "Points in total"),
            histogram(insight.total, "In total")),
        el("div", {class: "part-figures"}, parts.map(partFigure)));
}
