// Who is fast. The names are pseudonyms, so that the table can be shown to the class.

function speedBoard(board) {
    const entries = listOf(board.entries), fastest = Math.max(...entries.map((entry) => entry.times_plain));
    const heading = (name) => el("th", {scope: "col"}, name);
    const row = (entry) => el("tr", {}, el("td", {class: "dim"}, `${1 + entries.indexOf(entry)}.`),
        el("th", {scope: "row"}, reportLink(entry.student, null, studentAt(entry.student).pseudonym)),
        el("td", {}, shareBar(entry.times_plain, fastest)),
        el("td", {class: "score"}, `${countInWords(entry.times_plain)}\u00d7`),
        el("td", {class: "score dim"}, `${digits(entry.times_yardstick, 2)}\u00d7`),
        el("td", {class: "dim small"}, entry.settled === false && "noisy"));
    const table = (items) => el("table", {},
        el("thead", {}, el("tr", {}, el("td", {}), heading("student"), el("td", {}), heading("plain loops"), heading("yardstick"))),
        el("tbody", {}, items.map(row)));
    return el("figure", {class: "speed-board"},
        el("figcaption", {}, el("b", {class: "mono"}, nameOfPart(board.part)), ` ${board.sizes}`),
        firstItems(entries, 10, table));
}

function speedSection() {
    const boards = listOf(insight.speed).filter((board) => listOf(board.entries).length > 0);
    if (boards.length === 0) return null;
    return section("speed", "Speed",
        el("p", {class: "dim"}, "How many times as fast as the plain loops and as the yardstick. The names are pseudonyms, so you can show this to the class."),
        el("div", {class: "speed-boards"}, boards.map(speedBoard)));
}
