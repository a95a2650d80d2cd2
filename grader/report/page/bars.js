// Rows of probabilities over a vocabulary, as bars: one chart for each row.

/// Whether each row of the picture is a distribution over the tokens of a vocabulary, whose letter is V.
function isOverVocabulary(picture) {
    const columns = picture.yours.shape[1], expected = listOf(picture.expected.values);
    if (listOf(picture.letters).at(-1) !== "V" || columns < 2 || expected.some((p) => !(p >= 0))) return false;
    const sums = Array.from({length: expected.length / columns},
        (_, i) => expected.slice(i * columns, (i + 1) * columns).reduce((sum, p) => sum + p, 0));
    return sums.every((sum) => Math.abs(sum - 1) < 1e-3);
}

/// A bar for each number of a row, with a line where it should end.
function barsOfRow(picture, i) {
    const columns = picture.yours.shape[1], words = listOf(picture.column_words);
    const first = picture.first_column ?? 0, line = 16, left = 96, width = 160, right = 52;
    const wordOf = (j) => words[j] ?? `v = ${first + j}`;
    const lengthOf = (p) => isNumber(p) ? width * clamp(p, 0, 1) : 0;
    const bars = Array.from({length: columns}, (_, j) => {
        const k = i * columns + j, yours = picture.yours.values[k], due = picture.expected.values[k];
        const y = j * line, end = left + lengthOf(due);
        return svg("g", {"data-bar": k, "data-value": isNumber(yours) ? yours : "null"},
            svg("title", {}, `${wordOf(j)}: expected ${digits(due, 4)}, yours ${digits(yours, 4)}`),
            svg("text", {x: left - 6, y: y + 12, "text-anchor": "end"}, cutWord(wordOf(j))),
            svg("rect", {x: left, y: y + 2, width: lengthOf(yours), height: line - 4, fill: "var(--above)"}),
            svg("path", {class: "bar-end", d: `M${end} ${y}v${line}`}),
            svg("text", {x: left + width + 6, y: y + 12}, digits(yours, 2)));
    });
    const slice = [...listOf(picture.slice), (picture.first_row ?? 0) + i];
    const name = place(picture.array, [...slice, "\u00b7"]), word = listOf(picture.row_words)[i];
    return el("div", {class: "panel"}, el("p", {class: "panel-name"}, word ? `${name} \u201c${word}\u201d` : name),
        el("div", {class: "scroll"}, drawing(left + width + right, columns * line + 2, `Bars of ${name}`, bars)));
}

function barChart(picture) {
    const mostRows = 6, rows = Math.min(picture.yours.shape[0], mostRows);
    return el("figure", {class: "bars", "data-array": picture.array},
        el("figcaption", {}, el("b", {}, `${picture.array} as bars`), ": yours, with a line where it should end"),
        el("div", {class: "panels"}, Array.from({length: rows}, (_, i) => barsOfRow(picture, i))));
}
