// Who is fast. The names are pseudonyms, so that the table can be shown to the class.

function speedBoard(board) {
    const entries = listOf(board.entries), fastest = Math.max(...entries.map((entry) => entry.times_plain));
    const row = (entry) => el("li", {value: 1 + entries.indexOf(entry)},
        reportLink(entry.student, null, studentAt(entry.student).pseudonym), shareBar(entry.times_plain, fastest),
        el("span", {class: "score"}, `${countInWords(entry.times_plain)}\u00d7`),
        el("span", {class: "dim small"}, `${digits(entry.times_yardstick, 2)}\u00d7 the yardstick` +
            (entry.settled === false ? ", noisy" : "")));
    return el("figure", {class: "speed-board"},
        el("figcaption", {}, el("b", {class: "mono"}, nameOfPart(board.part)), ` ${board.sizes}`),
        firstItems(entries, 10, (items) => el("ol", {}, items.map(row))));
}

function speedSection() {
    const boards = listOf(insight.speed).filter((board) => listOf(board.entries).length > 0);
    if (boards.length === 0) return null;
    return section("speed", "Speed",
        el("p", {class: "dim"}, "Multiples of the speed of the plain loops. The names are pseudonyms, so you can show this to the class."),
        el("div", {class: "speed-boards"}, boards.map(speedBoard)));
}
