// The students behind a figure. Every number of the page is a button that opens their list.

let insight = {};

function studentAt(number) {
    return listOf(insight.students)[number] ?? {};
}

/// The name if names may be shown, otherwise the pseudonym.
function nameOfStudent(number) {
    const student = studentAt(number);
    return student.name || student.pseudonym || "?";
}

/// The student's report, at a check if one is given; plain text if there is no report.
function reportLink(number, check, text = nameOfStudent(number)) {
    const address = studentAt(number).report;
    if (!address) return el("span", {}, text);
    return el("a", {href: address + (check ? `#check-${check}` : "")}, text);
}

function stateInWords(student) {
    if (student.state === "graded") return outOf(student);
    return student.state === "missing" ? "not handed in" : student.problem || "not graded";
}

/// Opens the list of some students. `check` leads each link to a check of the report.
function showStudents(title, numbers, check) {
    const box = document.getElementById("students"), close = el("button", {type: "button"}, "Close");
    close.addEventListener("click", () => box.close());
    const row = (number) => el("li", {}, reportLink(number, check),
        insight.names && el("span", {class: "dim small"}, studentAt(number).pseudonym),
        el("span", {class: "score dim"}, stateInWords(studentAt(number))));
    box.replaceChildren(
        el("div", {class: "dialog-head"}, el("h2", {id: "students-title"}, title), close),
        el("p", {class: "dim"}, plural(numbers.length, "student")),
        el("ul", {class: "people"}, numbers.map(row)));
    box.showModal();
}

/// A button that opens the list of these students; plain text if there are none.
function behind(text, title, numbers, {check, look = "figure"} = {}) {
    if (numbers.length === 0) return el("span", {class: look === "figure" ? "dim" : look}, text);
    const button = el("button", {type: "button", class: look, "data-students": numbers.length}, text);
    button.addEventListener("click", () => showStudents(title, numbers, check));
    return button;
}

/// "42 of 275" with a bar.
function shareBar(count, of) {
    const bar = el("span", {class: "share-bar", "aria-hidden": "true"}), piece = el("span");
    piece.style.width = `${100 * clamp(of > 0 ? count / of : 0, 0, 1)}%`;
    bar.append(piece);
    return bar;
}

function capital(text) {
    return text ? text[0].toUpperCase() + text.slice(1) : "";
}

function nameOfPart(number) {
    const part = listOf(insight.parts)[number] ?? {};
    const many = new Set(listOf(insight.parts).map((each) => each.assignment)).size > 1;
    return many ? `${part.assignment}.${part.function}` : part.function ?? "?";
}

/// A section with a title; null if there is nothing in it.
function section(id, title, ...content) {
    return el("section", {id, class: "topic", "aria-labelledby": `${id}-title`},
        el("h2", {id: `${id}-title`}, title), ...content);
}

/// The first `most` items, and the others behind a line to open.
function firstItems(items, most, list) {
    if (items.length <= most + 2) return list(items);
    return [list(items.slice(0, most)),
        el("details", {class: "more-items"}, el("summary", {}, `${items.length - most} more`), list(items.slice(most)))];
}

/// A moment in the reader's time zone.
function momentInWords(text, options = {dateStyle: "medium", timeStyle: "short"}) {
    const moment = new Date(text);
    return Number.isNaN(moment.getTime()) ? "?" : moment.toLocaleString("en-GB", {...options, timeZone: insight.zone});
}

/// What the course's clocks are behind UTC at a moment, in milliseconds.
function zoneOffset(moment) {
    // 2026-11-20 23:59:00
    const clock = new Date(moment).toLocaleString("sv-SE", {timeZone: insight.zone});
    return Math.floor(moment / 1000) * 1000 - Date.parse(`${clock.replace(" ", "T")}Z`);
}
