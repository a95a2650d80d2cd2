// Outliers, who has not handed in, and the table of all students.

function outliersSection() {
    const outliers = listOf(insight.outliers), rules = insight.rules ?? {};
    const keys = Object.keys(rules).filter((key) => key !== "pairs");
    const group = (key) => {
        const own = outliers.filter((outlier) => outlier.rule === key);
        return own.length > 0 && el("div", {class: "outliers", "data-rule": key}, el("p", {class: "dim small"}, rules[key]),
            firstItems(own, 12, (items) => el("ul", {}, items.map((outlier) =>
                el("li", {}, reportLink(outlier.student), `: ${outlier.what}`)))));
    };
    if (listOf(insight.graded).length === 0) return null;
    return section("outliers", "Outliers",
        outliers.length > 0
            ? keys.map(group)
            : [el("p", {}, "There are none by these rules:"),
                  el("ul", {class: "dim small"}, keys.map((key) => el("li", {}, rules[key])))]);
}

function missingSection() {
    const missing = listOf(insight.missing), ungraded = listOf(insight.ungraded);
    if (missing.length === 0 && ungraded.length === 0) return null;
    return section("missing", "Not handed in, not graded",
        missing.length > 0 && el("p", {}, `${plural(missing.length, "student")} of the roster handed in nothing:`),
        missing.length > 0 && el("ul", {class: "names"}, missing.map((number) => el("li", {}, nameOfStudent(number)))),
        ungraded.length > 0 && el("p", {}, `${plural(ungraded.length, "student")} handed in something that was not graded:`),
        ungraded.length > 0 && el("ul", {}, ungraded.map((number) =>
            el("li", {}, `${nameOfStudent(number)}: ${studentAt(number).problem}`))));
}

function markInWords(mark) {
    if (!mark) return "";
    const words = [mark.overridden && "by hand", mark.held && "held", mark.days_late > 0 && "late"].filter(Boolean);
    return points(mark.final) + (words.length > 0 ? ` (${words.join(", ")})` : "");
}

/// The columns of the table: a title, the text of a cell, and the value to sort by.
function columnsOfTable() {
    const parts = listOf(insight.parts), few = parts.length <= 6;
    const last = (student) => listOf(student.attempts).at(-1)?.when ?? "";
    return [
        {title: "student", value: (student, number) => nameOfStudent(number).toLowerCase(),
            cell: (student, number) => [reportLink(number), insight.names && el("span", {class: "dim small"}, ` ${student.pseudonym}`),
                !student.on_roster && el("span", {class: "tag"}, "not on the roster")]},
        {title: "points", number: true, value: (student) => student.points ?? -1,
            cell: (student) => student.state === "graded" ? points(student.points) : el("span", {class: "dim"}, student.state)},
        {title: "mark", number: true, value: (student) => student.mark?.final ?? -1,
            cell: (student) => el("span", {title: student.mark?.explanation}, markInWords(student.mark))},
        {title: "attempts", number: true, wide: true, value: (student) => listOf(student.attempts).length,
            cell: (student) => String(listOf(student.attempts).length)},
        {title: "last", wide: true, value: last, cell: (student) => last(student) && momentInWords(last(student),
            {day: "numeric", month: "short", hour: "2-digit", minute: "2-digit"})},
        ...(few ? parts : []).map((part, k) => ({title: nameOfPart(k), wide: true, number: true, mono: true,
            value: (student) => listOf(student.parts)[k] ?? -1,
            cell: (student) => isNumber(listOf(student.parts)[k]) ? points(student.parts[k]) : ""})),
    ];
}

function tableOfStudents() {
    const columns = columnsOfTable(), students = listOf(insight.students), body = el("tbody", {});
    const rows = students.map((student, number) => el("tr", {"data-student": number},
        columns.map((column, k) => el(k === 0 ? "th" : "td",
            {scope: k === 0 && "row", class: [column.number && "score", column.wide && "wide"].filter(Boolean).join(" ")},
            column.cell(student, number)))));
    let sorted = null, down = false;
    const headings = columns.map((column) => {
        const button = el("button", {type: "button", class: "sort" + (column.mono ? " mono" : "")}, column.title);
        const heading = el("th", {scope: "col", class: [column.number && "score", column.wide && "wide"].filter(Boolean).join(" ")}, button);
        button.addEventListener("click", () => {
            down = sorted === column ? !down : Boolean(column.number);
            sorted = column;
            const keyed = rows.map((row, number) => ({row, key: column.value(students[number], number)}));
            keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) * (down ? -1 : 1));
            body.append(...keyed.map((each) => each.row));
            for (const each of headings) each.removeAttribute("aria-sort");
            heading.setAttribute("aria-sort", down ? "descending" : "ascending");
        });
        return heading;
    });
    body.append(...rows);
    return el("div", {class: "scroll"}, el("table", {class: "everybody"}, el("caption", {class: "hidden"}, "All students"),
        el("thead", {}, el("tr", {}, headings)), body));
}

function everybodySection() {
    const students = listOf(insight.students), table = tableOfStudents();
    const search = el("input", {type: "search", id: "search", placeholder: "part of a name"});
    search.addEventListener("input", () => {
        const wanted = search.value.trim().toLowerCase();
        for (const row of table.querySelectorAll("tbody tr")) {
            const student = studentAt(row.dataset.student);
            row.hidden = !`${student.name} ${student.pseudonym} ${student.section}`.toLowerCase().includes(wanted);
        }
    });
    return section("everybody", "All students",
        students.length > 12 && el("p", {}, el("label", {for: "search"}, "Find: "), search), table);
}
