// Draws the insight that the page contains.

function titleSection() {
    const numbers = (state) => listOf(insight.students).map((student, number) => [student, number])
                                   .filter(([student]) => state(student)).map(([, number]) => number);
    const counted = (student, sources) => listOf(student.attempts).some((each) => each.counts && sources.includes(each.when_by));
    const facts = [
        ["on the roster", numbers((student) => student.on_roster)],
        ["not on the roster", numbers((student) => !student.on_roster)],
        ["handed in", numbers((student) => listOf(student.attempts).length > 0)],
        ["graded", listOf(insight.graded)], ["not graded", listOf(insight.ungraded)], ["missing", listOf(insight.missing)],
        ["held", numbers((student) => student.mark?.held)], ["changed by hand", numbers((student) => student.mark?.overridden)],
        ["late", numbers((student) => student.mark?.days_late > 0)],
        ["with a time that students set", numbers((student) => counted(student, ["commit", "files"]))],
        ["with an unknown time", numbers((student) => counted(student, ["unknown"]))],
    ].filter(([, students]) => students.length > 0);
    return el("section", {class: "summary", "aria-labelledby": "title"},
        el("h1", {id: "title"}, insight.title || "A class"),
        el("p", {class: "dim small"}, `Made ${momentInWords(insight.made_at)}.`,
            insight.due && ` Due ${momentInWords(insight.due)}.`, insight.names ? "" : " Names are pseudonyms."),
        el("ul", {class: "counts"}, facts.map(([name, students]) =>
            el("li", {}, behind(String(students.length), capital(name), students, {look: "large-figure"}), el("span", {}, name)))));
}

function insightFooter() {
    return el("footer", {class: "dim small"}, el("p", {}, "The same figures: ", el("a", {href: "insight.csv"}, "insight.csv"), ", ",
        el("a", {href: "insight.json"}, "insight.json"), ". The reports show hidden inputs, so keep this folder to yourself."));
}

function main() {
    insight = JSON.parse(document.getElementById("insight").textContent);
    document.title = `${insight.title || "A class"}: Attention Lab`;
    const sections = [pointsSection, misconceptionsSection, pairsSection, checksSection, attemptsSection, speedSection,
        outliersSection, missingSection, everybodySection].map((draw) => drawn(draw)).filter(Boolean);
    document.getElementById("main").append(titleSection(), ...sections, insightFooter());
    const theme = el("button", {type: "button"});
    document.getElementById("tools").append(theme);
    document.getElementById("contents").append(...sections.filter((each) => each.id).map((each) =>
        el("a", {href: `#${each.id}`}, each.id)));
    const dialog = document.getElementById("students");
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    setUpTheme(theme);
    setUpPrinting();
    setUpLinks();
}

main();
