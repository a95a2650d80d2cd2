// Draws the model page that the page contains.

function originsTable(origins) {
    const row = (origin) => el("tr", {"data-function": origin.function},
        el("th", {scope: "row"}, origin.function),
        el("td", {class: "score"}, origin.assignment > 0 && `assignment ${origin.assignment}`),
        el("td", {}, origin.students ? el("span", {class: "good"}, "yours") : "the reference's"),
        el("td", {class: "dim"}, origin.note));
    return el("section", {class: "topic", "aria-labelledby": "origins"},
        el("h2", {id: "origins"}, "Whose functions these are"),
        el("div", {class: "scroll"}, el("table", {class: "origins"}, el("tbody", {}, origins.map(row)))));
}

function sectionOf(section) {
    const most = Math.max(...listOf(section.maps).flatMap((map) => listOf(map.weights)).filter(isNumber), 1e-9);
    const parts = [
        listOf(section.charts).map((chart) => drawn(() => curveChart(chart))),
        listOf(section.images).length > 0 && drawn(() => readImages(section.images, section.columns)),
        listOf(section.maps).length > 0 &&
            el("div", {class: "side-by-side"}, section.maps.map((map) => drawn(() => weightMap(map, most)))),
        listOf(section.bars).length > 0 &&
            el("figure", {class: "bars"}, el("div", {class: "panels"}, section.bars.map((bars) => drawn(() => wordBars(bars))))),
        listOf(section.samples).length > 0 && drawn(() => sampleList(section.samples)),
        listOf(section.point_maps).map((map) => drawn(() => pointMap(map))),
    ];
    return el("section", {class: "topic"}, el("h2", {}, section.title),
        listOf(section.text).map((text) => el("p", {}, text)), parts);
}

/// The pattern of numbers that are none, which pictures refer to.
function hatchPattern() {
    return svg("svg", {class: "patterns", width: 0, height: 0, "aria-hidden": "true"},
        svg("pattern", {id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)"},
            svg("rect", {class: "hatch-ground", width: 5, height: 5}), svg("rect", {class: "hatch-line", width: 2, height: 5})));
}

function main() {
    const page = JSON.parse(document.getElementById("show").textContent);
    document.title = `${page.title}: Attention Lab`;
    document.getElementById("main").append(hatchPattern(),
        el("section", {class: "summary"}, el("h1", {id: "title"}, page.title),
            el("p", {class: page.good ? "verdict good" : "verdict bad", id: "verdict"},
                page.good ? "\u2713 " : "\u2717 ", page.verdict)),
        ...listOf(page.sections).map(sectionOf),
        ...(listOf(page.origins).length > 0 ? [originsTable(page.origins)] : []),
        ...(listOf(page.notes).length > 0
            ? [el("footer", {class: "dim small"}, el("h2", {}, "About the weights"), page.notes.map((note) => el("p", {}, note)))]
            : []));
    const theme = el("button", {type: "button"});
    document.getElementById("tools").append(theme);
    setUpTheme(theme);
}

main();
