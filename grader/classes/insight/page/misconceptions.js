// Which misconceptions the class has, with two examples each, and which of them go together.

function exampleOf(example) {
    const number = example.student;
    return el("li", {}, reportLink(number, example.check), example.place && [" ", el("span", {class: "mono dim"}, example.place)]);
}

function misconceptionItem(each) {
    const students = listOf(each.students), of = listOf(insight.graded).length;
    const title = capital(each.cause);
    return el("li", {class: "misconception", "data-mistake": listOf(each.mistakes).join(" or ")},
        el("div", {class: "misconception-count"},
            behind(`${students.length} of ${of}`, title, students), shareBar(students.length, of)),
        el("div", {},
            el("p", {class: "strong"}, title),
            el("p", {class: "dim small"}, el("span", {class: "mono"}, listOf(each.mistakes).join(" or ")), " in ",
                el("span", {class: "mono"}, listOf(each.parts).map(nameOfPart).join(", "))),
            each.hint && el("p", {class: "small"}, "Ask them: ", each.hint),
            el("p", {class: "small examples-title"}, listOf(each.examples).length > 1 ? "Two examples:" : "Example:"),
            el("ul", {class: "examples small"}, listOf(each.examples).map(exampleOf))));
}

/// Wrong numbers that no known mistake explains.
function unnamedList() {
    const parts = listOf(insight.parts).map((part, number) => [nameOfPart(number), listOf(part.unnamed)])
                      .filter(([, students]) => students.length > 0);
    if (parts.length === 0) return null;
    return el("p", {class: "small"}, "Wrong numbers without a named mistake: ",
        parts.map(([name, students], k) => [k > 0 && ", ",
            behind(String(students.length), `${name}: wrong without a named mistake`, students), " in ",
            el("span", {class: "mono"}, name)]), ".");
}

function misconceptionsSection() {
    const all = listOf(insight.misconceptions), unnamed = unnamedList();
    if (listOf(insight.graded).length === 0) return null;
    return section("misconceptions", "What the class has not understood",
        el("p", {class: "dim"}, all.length > 0
            ? "Mistakes that the grader has named, with how many of the graded students made them."
            : "The grader has named no mistake in the attempts that count."),
        firstItems(all, 10, (items) => el("ol", {class: "misconceptions"}, items.map(misconceptionItem))), unnamed);
}

function pairItem(pair) {
    const [first, second] = [pair.first, pair.second].map((number) => listOf(insight.misconceptions)[number] ?? {});
    const name = (each) => el("span", {class: "mono"}, listOf(each.mistakes).join(" or "));
    const title = `${listOf(first.mistakes).join(" or ")} and ${listOf(second.mistakes).join(" or ")}`;
    return el("li", {}, behind(String(pair.students.length), title, pair.students), " students have both ", name(first),
        ` (${listOf(first.students).length}) and `, name(second), ` (${listOf(second.students).length}): `,
        el("b", {}, `${digits(pair.lift, 2)} times`), ` as many as the ${digits(pair.expected, 2)} that chance would give.`);
}

function pairsSection() {
    const pairs = listOf(insight.pairs);
    if (listOf(insight.misconceptions).length < 2) return null;
    return section("pairs", "Mistakes that go together",
        pairs.length > 0 ? firstItems(pairs, 8, (items) => el("ul", {class: "pairs"}, items.map(pairItem)))
                         : el("p", {}, "No two mistakes go together often enough to say so."),
        el("p", {class: "dim small"}, insight.rules?.pairs ?? ""));
}
