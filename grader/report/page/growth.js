// The growth of a cost with a length: measurements, the fitted power, and the allowed power.

/// The letter of the length; "N" if several lengths grow together.
function letterOf(growth) {
    const length = growth.length ?? "";
    return length === "" || length.includes("=") ? "N" : length;
}

function growthInWords(growth) {
    const {value, low, high} = growth.exponent ?? {};
    const letter = letterOf(growth), lengths = listOf(growth.lengths);
    const exponent = (number) => isNumber(number) ? number.toFixed(2) : "?";
    const what = String(growth.what ?? "cost");
    const about = letter === growth.length ? letter : `${letter} = ${growth.length}`;
    return `${what[0].toUpperCase()}${what.slice(1)} grows as ${letter}^${exponent(value)} (95 % interval ` +
        `${exponent(low)} to ${exponent(high)}) for ${about} = ${lengths[0]} .. ${lengths.at(-1)}; ` +
        `${letter}^${digits(growth.allowed, 3)} is allowed.`;
}

/// The line of a power law through the geometric mean of the points, over the whole axis.
function powerLine(exponent, middle, [low, high], x, y) {
    const at = (length) =>
        `${x(length).toFixed(1)} ${y(middle.value * (length / middle.length) ** exponent).toFixed(1)}`;
    return `${at(low)}L${at(high)}`;
}

function growthChart(growth) {
    const lengths = listOf(growth.lengths), values = listOf(growth.values);
    const measured = lengths.map((length, k) => ({length, value: values[k]}))
        .filter(({length, value}) => isPositive(length) && isPositive(value));
    const words = growthInWords(growth), unit = growth.what === "memory" ? "MiB" : "ms";
    const caption = el("figcaption", {},
        el("b", {}, growth.what === "memory" ? "Memory beyond the arrays" : "Time of one call"), `, ${unit}`);
    const table = el("table", {class: "matrix"}, el("caption", {class: "hidden"}, "What was measured"),
        el("thead", {},
            el("tr", {}, el("th", {scope: "col"}, growth.length ?? "N"), el("th", {scope: "col"}, unit))),
        el("tbody", {},
            lengths.map((length, k) => el("tr", {},
                el("th", {scope: "row"}, String(length)), el("td", {}, digits(values[k], 4))))));
    if (measured.length < 2) return el("figure", {class: "growth"}, caption, table, el("p", {}, words));
    const width = chartWidth(400), height = 260;
    const left = 56, right = width - 14, top = 26, bottom = height - 42;
    const lengthRange = extentOf(lengths.filter(isPositive));
    const valueRange = extentOf(measured.map(({value}) => value));
    const domain = [lengthRange[0] / 1.2, lengthRange[1] * 1.2], range = [valueRange[0] / 2, valueRange[1] * 2];
    const x = logScale(domain, [left, right]), y = logScale(range, [bottom, top]);
    const mean = (pick) =>
        Math.exp(measured.reduce((sum, each) => sum + Math.log(pick(each)), 0) / measured.length);
    const middle = {length: mean(({length}) => length), value: mean(({value}) => value)};
    const clip = `inside-${Math.random().toString(36).slice(2)}`;
    const line = (exponent, look) =>
        isNumber(exponent) && svg("path", {class: look, d: "M" + powerLine(exponent, middle, domain, x, y)});
    const {value, low, high} = growth.exponent ?? {};
    const fan = isNumber(low) && isNumber(high) && svg("path", {
        class: "fan",
        d: [
            "M", powerLine(low, middle, domain, x, y), "L",
            powerLine(high, middle, [domain[1], domain[0]], x, y), "Z"
        ].join("")
    });
    return el("figure", {class: "growth"}, caption,
        el("div", {class: "scroll"},
            drawing(width, height, words,
                svg("clipPath", {id: clip},
                    svg("rect", {x: left, y: top, width: right - left, height: bottom - top})),
                axisBelow(x, domain, {top, bottom, label: growth.length, most: 6}),
                axisAtLeft(y, range, {left, right, label: unit, most: 6}),
                svg("g", {"clip-path": `url(#${clip})`}, fan, line(growth.allowed, "allowed"),
                    line(value, "fitted"),
                    measured.map((each) => svg("circle",
                        {class: "measured", cx: x(each.length), cy: y(each.value), r: 4},
                        svg("title", {}, `${each.length}: ${digits(each.value)} ${unit}`)))))),
        el("p", {class: "keys"},
            el("span", {}, el("span", {class: "stroke fitted"}),
                ` fitted, ${letterOf(growth)}^${isNumber(value) ? value.toFixed(2) : "?"} `),
            el("span", {}, el("span", {class: "stroke allowed"}),
                ` allowed, ${letterOf(growth)}^${digits(growth.allowed, 3)}`)),
        el("p", {}, words), el("details", {}, el("summary", {}, "The numbers as a table"), table));
}
