// Rows of probabilities over a vocabulary, and numbers along a sentence, as bars.

/// Whether each row of the picture is a distribution over the tokens of a vocabulary, whose letter is V.
function isOverVocabulary(picture) {
    const columns = picture.yours.shape[1], expected = listOf(picture.expected.values);
    if (listOf(picture.letters).at(-1) !== "V" || columns < 2 || expected.some((p) => !(p >= 0))) return false;
    const sums = Array.from({length: expected.length / columns},
        (_, i) => expected.slice(i * columns, (i + 1) * columns).reduce((sum, p) => sum + p, 0));
    return sums.every((sum) => Math.abs(sum - 1) < 1e-3);
}

/// Whether the picture is one row of numbers, each of which belongs to a word or a letter.
function isAlongSentence(picture) {
    return picture.yours.shape[0] === 1 && listOf(picture.column_words).some(Boolean) && listOf(picture.letters).at(-1) !== "V" &&
        [...picture.yours.values, ...picture.expected.values].every((value) => !(value < 0));
}

/// How many of the words come before the end of the sentence. What stands after it is no part of it.
function lengthOfSentence(words, all) {
    const end = words.indexOf("EOS");
    return end < 0 ? all : end;
}

/// A bar for each number of a row, with a line where it should end.
function barsOfRow(picture, i, wrong) {
    const columns = picture.yours.shape[1], words = listOf(picture.column_words);
    const first = picture.first_column ?? 0, line = 16, left = 96, width = 160, right = 52;
    const wordOf = (j) => words[j] ?? `v = ${first + j}`;
    const lengthOf = (p) => isNumber(p) ? width * clamp(p, 0, 1) : 0;
    const bars = Array.from({length: columns}, (_, j) => {
        const k = i * columns + j, yours = picture.yours.values[k], due = picture.expected.values[k];
        const y = j * line, end = left + lengthOf(due);
        return svg("g", {"data-bar": k, "data-value": isNumber(yours) ? yours : "null", "data-wrong": wrong(k)},
            svg("title", {}, `${wordOf(j)}: expected ${digits(due, 4)}, yours ${digits(yours, 4)}`),
            svg("text", {x: left - 6, y: y + 12, "text-anchor": "end"}, cutWord(wordOf(j))),
            svg("rect", {class: wrong(k) ? "bar off" : "bar yours", x: left, y: y + 2, width: lengthOf(yours), height: line - 4}),
            svg("path", {class: "bar-end", d: `M${end} ${y}v${line}`}),
            svg("text", {x: left + width + 6, y: y + 12}, wrong(k) ? `${digits(yours, 2)} \u2717` : digits(yours, 2)));
    });
    const slice = [...listOf(picture.slice), (picture.first_row ?? 0) + i];
    const name = place(picture.array, [...slice, "\u00b7"]), word = listOf(picture.row_words)[i];
    return el("div", {class: "panel"}, el("p", {class: "panel-name"}, word ? `after \u201c${word}\u201d` : nameOfMatrix(picture.array, slice)),
        el("div", {class: "scroll"}, drawing(left + width + right, columns * line + 2, `Bars of ${name}`, bars)));
}

function barChart(picture) {
    const mostRows = 6, rows = Math.min(picture.yours.shape[0], mostRows), wrong = wrongOf(picture);
    const shown = lengthOfSentence(listOf(picture.row_words), rows);
    return el("figure", {class: "bars", "data-array": picture.array},
        el("figcaption", {}, el("b", {}, `${picture.array} as bars`), ": yours, with a line where it should end; orange is wrong"),
        sentencesOf(picture),
        el("div", {class: "panels"}, Array.from({length: Math.min(rows, shown)}, (_, i) => barsOfRow(picture, i, wrong))));
}

/// Numbers along a sentence: a bar above each word or letter, in as many lines as the page needs.
function sentenceChart(picture) {
    const {yours, expected} = picture, words = listOf(picture.column_words), wrong = wrongOf(picture);
    const most = Math.max(...[...yours.values, ...expected.values].filter(isNumber)) || 1;
    const share = (value) => `${100 * clamp((value ?? 0) / most, 0, 1)}%`;
    const bars = words.slice(0, lengthOfSentence(words, words.length)).map((word, k) => {
        const bar = el("i", {class: wrong(k) ? "off" : "yours"}), end = el("u");
        bar.style.height = share(yours.values[k]);
        end.style.bottom = share(expected.values[k]);
        return el("span", {"data-bar": k, "data-value": yours.values[k],
            title: `${word}: expected ${digits(expected.values[k], 4)}, yours ${digits(yours.values[k], 4)}`},
            el("span", {}, bar, end), el("b", {}, cutWord(word, 12)));
    });
    const row = listOf(picture.shape).length > 1 ? [picture.first_row ?? 0] : [];
    return el("figure", {class: "along", "data-array": picture.array},
        el("figcaption", {}, el("b", {}, nameOfMatrix(picture.array, row)), `: bars from 0 to ${digits(most, 3)}, with a line where yours should end`),
        sentencesOf(picture), el("div", {class: "letters"}, bars));
}
