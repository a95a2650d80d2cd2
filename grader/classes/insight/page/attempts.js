// The attempts over time.

function allAttempts() {
    return listOf(insight.students).flatMap((student, number) => listOf(student.attempts).map((attempt) =>
        ({...attempt, student: number, at: attempt.when ? new Date(attempt.when).getTime() : NaN, most: student.max_points ?? insight.max_points})))
        .filter((attempt) => isNumber(attempt.at)).sort((a, b) => a.at - b.at);
}

const hour = 3600e3, day = 24 * hour;

/// The length of a time slot so that at most `most` cover the whole time.
function slotLength(length, most) {
    return [hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day, 14 * day, 28 * day]
        .find((slot) => length / slot <= most - 1) ?? Math.ceil(length / day / (most - 1)) * day;
}

function slotInWords(begin, length) {
    const from = momentInWords(begin, length < day ? {day: "numeric", month: "short", hour: "2-digit", minute: "2-digit"}
                                                   : {day: "numeric", month: "short"});
    return length === day ? from : `${from}, ${length < day ? plural(length / hour, "hour") : plural(length / day, "day")}`;
}

/// How many attempts there were in each slot of time.
function attemptsColumns(attempts, from, to) {
    const length = slotLength(to - from, 28), zone = zoneOffset(from);
    const begin = Math.floor((from - zone) / length) * length + zone, slots = [];
    for (let at = begin; at <= to; at += length) slots.push({at, attempts: []});
    for (const attempt of attempts) slots[Math.floor((attempt.at - begin) / length)]?.attempts.push(attempt);
    const most = Math.max(1, ...slots.map((slot) => slot.attempts.length));
    const column = (slot) => {
        const bar = el("span", {class: "column"}), students = [...new Set(slot.attempts.map((attempt) => attempt.student))];
        bar.style.height = `${100 * slot.attempts.length / most}%`;
        const words = `${slotInWords(slot.at, length)}: ${plural(slot.attempts.length, "attempt")}`;
        const box = behind("", words, students, {look: "column-box"});
        box.title = words;
        box.append(hidden(words), el("span", {class: "column-count", "aria-hidden": "true"}, slot.attempts.length || ""), bar);
        return box;
    };
    return el("div", {class: "histogram small over-time"}, el("div", {class: "columns"}, slots.map(column)),
        el("div", {class: "column-labels", "aria-hidden": "true"}, el("span", {}, slotInWords(slots[0].at, length)),
            slots.length > 2 && el("span", {}, slotInWords(slots.at(-1).at, length))));
}

/// Ticks on an axis of time: whole days or hours, at most `most`.
function timeTicks(from, to, most) {
    const length = slotLength(to - from, most), zone = zoneOffset(from), ticks = [];
    for (let at = Math.ceil((from - zone) / length) * length + zone; at <= to; at += length) ticks.push(at);
    const options = length < day ? {day: "numeric", month: "short", hour: "2-digit"} : {day: "numeric", month: "short"};
    return ticks.map((at) => ({at, text: momentInWords(at, options)}));
}

/// A line for every student: points over time, one dot for each attempt.
function timeLines(attempts, from, to) {
    const width = clamp(document.documentElement.clientWidth - 50, 300, 1000), height = 280;
    const left = 42, right = width - 14, top = 12, bottom = height - 26;
    const x = linearScale([from, to], [left + 8, right - 8]), y = linearScale([0, 1], [bottom, top]);
    const shareOf = (attempt) => isNumber(attempt.points) && attempt.most > 0 ? clamp(attempt.points / attempt.most, 0, 1) : null;
    const byStudent = new Map(), due = insight.due ? new Date(insight.due).getTime() : null;
    for (const attempt of attempts.filter((each) => shareOf(each) !== null))
        byStudent.set(attempt.student, [...(byStudent.get(attempt.student) ?? []), attempt]);
    const at = (attempt) => `${x(attempt.at).toFixed(1)} ${y(shareOf(attempt)).toFixed(1)}`;
    const paths = [...byStudent.values()].filter((own) => own.length > 1)
                      .map((own) => svg("path", {class: "time-line", d: `M${own.map(at).join("L")}`}));
    const dots = [...byStudent.values()].flat().map((attempt) => svg("circle",
        {cx: x(attempt.at).toFixed(1), cy: y(shareOf(attempt)).toFixed(1), r: width < 500 ? 3 : 4, "data-student": attempt.student,
            class: `attempt ${attempt.counts ? "counts" : "earlier"}${due !== null && attempt.at > due ? " late" : ""}`},
        svg("title", {}, `${nameOfStudent(attempt.student)}, attempt ${attempt.number}: ${points(attempt.points)} points, ` +
            momentInWords(attempt.at))));
    const picture = drawing(width, height, `Points of ${attempts.length} attempts over time`,
        svg("g", {class: "axis"}, [0, 0.25, 0.5, 0.75, 1].map((share) => [
            svg("line", {x1: left, x2: right, y1: y(share), y2: y(share)}),
            svg("text", {x: left - 6, y: y(share) + 4, "text-anchor": "end"}, `${100 * share} %`)])),
        svg("g", {class: "axis"}, timeTicks(from, to, Math.max(3, Math.floor(width / 110))).map((tick) =>
            svg("text", {x: clamp(x(tick.at), left + 24, right - 24), y: bottom + 18, "text-anchor": "middle"}, tick.text))),
        due !== null && due >= from && due <= to && [
            svg("line", {class: "due", x1: x(due), x2: x(due), y1: top, y2: bottom}),
            svg("text", {class: "strong", x: x(due) - 5, y: top + 10, "text-anchor": "end"}, "due")],
        paths, dots);
    picture.addEventListener("click", (event) => {
        const number = event.target.closest?.("[data-student]")?.dataset.student;
        if (number !== undefined) showStudents(nameOfStudent(number), [Number(number)]);
    });
    return el("figure", {class: "time-lines"}, el("div", {class: "scroll"}, picture),
        el("figcaption", {}, "Each dot is an attempt, and a line joins the attempts of a student. Filled dots count; ",
            insight.due ? "orange ones came after the due date." : "the others came before."));
}

/// How many attempts the students made, and what the later ones brought.
function numbersOfAttempts() {
    const groups = new Map(), gains = [];
    listOf(insight.students).forEach((student, number) => {
        const own = listOf(student.attempts), graded = own.filter((attempt) => isNumber(attempt.points));
        if (own.length > 0) groups.set(own.length, [...(groups.get(own.length) ?? []), number]);
        if (graded.length > 1 && student.max_points > 0)
            gains.push((graded.at(-1).points - graded[0].points) / student.max_points);
    });
    const sorted = [...groups].sort((a, b) => a[0] - b[0]);
    gains.sort((a, b) => a - b);
    const median = gains.length > 0 ? gains[Math.floor((gains.length - 1) / 2)] : null;
    return el("p", {}, "Attempts: ", sorted.map(([count, students], k) => [k > 0 && ", ",
        behind(plural(students.length, "student"), plural(count, "attempt"), students), ` made ${count}`]), ". ",
        isNumber(median) && `From the first to the last attempt, the points of the student in the middle grew by ${percent(median)}.`);
}

function attemptsSection() {
    const attempts = allAttempts();
    if (attempts.length === 0) return null;
    const from = attempts[0].at, last = attempts.at(-1).at;
    const due = insight.due ? new Date(insight.due).getTime() : last;
    const to = Math.max(last, due - from < 3 * (last - from + day) ? due : last, from + hour);
    return section("attempts", "Attempts over time", numbersOfAttempts(),
        el("figure", {}, el("figcaption", {}, "When the attempts came"), attemptsColumns(attempts, from, to)),
        drawn(() => timeLines(attempts, from, to)));
}
