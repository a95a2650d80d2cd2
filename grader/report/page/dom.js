// Makes elements from plain values. Text is only inserted as text, so a report cannot contain markup.

function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false) continue;
        node.setAttribute(name, value === true ? "" : String(value));
    }
    const isThere = (child) => child !== undefined && child !== null && child !== false && child !== "";
    node.append(...children.flat(Infinity).filter(isThere));
    return node;
}

/// el("p", {class: "dim"}, "text", el("b", {}, "more")) makes an element. Null and false children are left out.
function el(name, attributes = {}, ...children) {
    return fill(document.createElement(name), attributes, children);
}

function svg(name, attributes = {}, ...children) {
    return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/// An SVG drawing with a fixed size in pixels. On a narrow screen it scrolls inside its box.
function drawing(width, height, label, ...children) {
    return svg("svg", {width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label},
        ...children);
}

function hidden(text) {
    return el("span", {class: "hidden"}, text);
}

/// Text in which a line may be broken after a slash, so that a narrow screen does not break a path elsewhere.
function breakable(text) {
    return text.split(/(?<=\/)/).flatMap((piece, k) => k > 0 ? [el("wbr"), piece] : [piece]);
}

function isNumber(value) {
    return typeof value === "number" && Number.isFinite(value);
}

/// The list, or an empty one if the report has none.
function listOf(value) {
    return Array.isArray(value) ? value : [];
}

/// The number with `count` significant digits: 0.4264, 1.49e-7; "no number" for null.
function digits(value, count = 4) {
    if (!isNumber(value)) return "no number";
    const size = Math.abs(value);
    const text = size !== 0 && (size < 1e-4 || size >= 1e7)
        ? value.toExponential(count - 1).replace(/\.?0+e/, "e")
        : String(Number(value.toPrecision(count)));
    return text.replace("-", "\u2212");
}

/// A large count as people say it: "412", "410000", "3.9 million". As times_in_words() in text.cpp.
function countInWords(value) {
    if (!isNumber(value) || value < 1e3) return digits(value, 3);
    if (value >= 1e12) return "more than a trillion";
    if (value >= 1e9) return `${Number((value / 1e9).toPrecision(2))} billion`;
    if (value >= 1e6) return `${(value / 1e6).toFixed(value < 1e7 ? 1 : 0)} million`;
    return String(Number(value.toPrecision(3)));
}

function signed(value, count = 4) {
    return isNumber(value) && value > 0 ? "+" + digits(value, count) : digits(value, count);
}

/// Points as in the terminal: "20", "3.33".
function points(value) {
    return isNumber(value) ? String(Number(value.toFixed(2))) : "?";
}

/// The score of an assignment, a part or a check: "2.5 / 15".
function outOf(graded) {
    return `${points(graded.points)} / ${points(graded.max_points)}`;
}

function percent(share) {
    return isNumber(share) ? `${Math.round(100 * share)} %` : "?";
}

function plural(count, word) {
    const many = word.endsWith("s") ? "es" : "s";
    return `${count} ${word}${count === 1 ? "" : many}`;
}

/// The place of an element: "Y(1, 3, ·)".
function place(array, index) {
    return `${array}(${index.join(", ")})`;
}

/// The verdict after the numbers of a cell.
function verdict(wrong) {
    return el("span", {class: wrong ? "bad" : "good"}, wrong ? " \u2717 wrong" : " \u2713 right");
}

/// A word for the side of a picture, shortened. The cell's description has the whole word.
function cutWord(word, length = 14) {
    const characters = [...word.replace(/\s+/g, " ")];
    return characters.length <= length ? characters.join("")
                                       : characters.slice(0, length - 1).join("") + "\u2026";
}

/// The smallest and the largest number; null if there is no number.
function extentOf(values) {
    let low = Infinity, high = -Infinity;
    for (const value of values) {
        if (!isNumber(value)) continue;
        low = Math.min(low, value);
        high = Math.max(high, value);
    }
    return low <= high ? [low, high] : null;
}

/// Draws. If drawing fails, the rest of the report is still shown.
function drawn(draw) {
    try {
        return draw();
    } catch (error) {
        console.error(error);
        return el("p", {class: "dim"}, "This picture could not be drawn; the report's JSON has its numbers.");
    }
}
