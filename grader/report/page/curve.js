// A vector of numbers that follow each other, as a curve: yours, the expected one, and lines that mean something.

/// Round numbers in an interval, about four of them.
function linearTicks([low, high]) {
    const step = [1, 2, 5, 10].map((factor) => factor * 10 ** Math.floor(Math.log10((high - low) / 4)))
        .find((each) => (high - low) / each <= 6);
    const ticks = [];
    for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) ticks.push(Number(tick.toPrecision(6)));
    return ticks;
}

/// A path through the numbers. It is interrupted where there is no number.
function pathThrough(values, x, y) {
    return values.map((value, k) => {
        if (!isNumber(value)) return "";
        return `${k > 0 && isNumber(values[k - 1]) ? "L" : "M"}${x(k).toFixed(1)} ${y(value).toFixed(1)}`;
    }).join("");
}

function curveChart(picture) {
    const yours = listOf(picture.yours.values), due = listOf(picture.expected.values);
    const levels = listOf(picture.curve.levels);
    const first = (picture.first_column ?? 0) + 1, letter = listOf(picture.letters).at(-1) ?? "";
    const width = chartWidth(560), height = 280, left = 48, right = width - 14, top = 22, bottom = height - 40;
    const [least, most] = extentOf([...due, ...levels.map(({value}) => value)].filter(isNumber)) ?? [0, 1];
    // Lines that are near each other, far below the first number, need a logarithmic axis.
    const logarithmic = levels.length > 0 && least > 0 && most > 8 * least;
    const range = logarithmic ? [least / 1.5, most * 1.2]
                              : [Math.min(0, least), most > Math.min(0, least) ? most * 1.05 : least + 1];
    const scale = (logarithmic ? logScale : linearScale)(range, [bottom, top]);
    // Numbers far from the expected ones end at the border.
    const y = (value) => scale(clamp(value, range[0], range[1]));
    const x = linearScale([0, Math.max(1, due.length - 1)], [left, right]);
    const last = yours.at(-1);
    const words = `${picture.array}: ${plural(yours.length, "number")}, the last is ${digits(last, 4)}`;
    const everyTick = everyNth((right - left) / Math.max(1, due.length - 1), 48);
    const axes = svg("g", {class: "axis"},
        (logarithmic ? logTicks(range, 6) : linearTicks(range)).map((tick) => [
            svg("line", {x1: left, x2: right, y1: y(tick), y2: y(tick)}),
            svg("text", {x: left - 6, y: y(tick) + 4, "text-anchor": "end"}, digits(tick, 3)),
        ]),
        due.map((_, k) => k % everyTick === 0 &&
            svg("text", {x: x(k), y: bottom + 15, "text-anchor": "middle"}, String(first + k))),
        svg("text", {x: (left + right) / 2, y: bottom + 32, "text-anchor": "middle", class: "letter"},
            `${letter}, counted from 1`),
        logarithmic && svg("text", {x: left, y: 10, class: "letter"}, "logarithmic scale"));
    const lines = levels.map(({value, name}) => [
        svg("line", {class: "level", x1: left, x2: right, y1: y(value), y2: y(value), "data-level": value}),
        svg("text", {x: right - 4, y: y(value) + (value > least ? -4 : 13), "text-anchor": "end"}, name),
    ]);
    return el("figure", {class: "curve", "data-array": picture.array, "data-last": isNumber(last) ? last : "null"},
        el("figcaption", {}, el("b", {}, picture.array), ` [${listOf(picture.shape).join(", ")}]`),
        el("div", {class: "scroll"}, drawing(width, height, words, axes, lines,
            svg("path", {class: "due", d: pathThrough(due, x, y)}),
            svg("path", {class: "fitted", d: pathThrough(yours, x, y)}))),
        el("p", {class: "keys"}, el("span", {}, el("span", {class: "stroke fitted"}), " yours "),
            el("span", {}, el("span", {class: "stroke due"}), " expected")),
        sentencesOf(picture));
}
