// The growth of a cost with a length: measurements, the fitted power, and the allowed power; of time also those of the
// plain loops.

/// The letter of the length; "N" if several lengths grow together.
function letterOf(growth) {
    const length = growth.length ?? "";
    return length === "" || length.includes("=") ? "N" : length;
}

/// The same sentences as in the terminal.
function growthInWords(growth) {
    const {plain} = growth;
    const letter = letterOf(growth), lengths = listOf(growth.lengths);
    const two = (number) => isNumber(number) ? number.toFixed(2) : "?";
    const interval = (of) => `(95 % interval ${two(of?.low)} to ${two(of?.high)})`;
    const what = String(growth.what ?? "cost");
    const about = letter === growth.length ? letter : `${letter} = ${growth.length}`;
    const grows = `${what[0].toUpperCase()}${what.slice(1)} grows as ${letter}^${two(growth.exponent?.value)}`;
    const range = `for ${about} = ${lengths[0]} .. ${lengths.at(-1)}`;
    const isAtMost = (interval, limit) => isNumber(interval?.low) && interval.low <= limit;
    const atLast = `At ${growth.length} = ${lengths.at(-1)}`;
    if (!plain) {
        const memory = growth.plain_memory;
        const text =
            `${grows} ${interval(growth.exponent)} ${range}; ${letter}^${digits(growth.allowed, 3)} is allowed.`;
        if (!memory || isAtMost(memory.more, memory.most_more)) return text;
        return `${atLast} your process takes ${digits(memory.more?.value, 2)} MiB more than the plain loops; ` +
            `${digits(memory.most_more, 3)} MiB more is allowed. Memory counts whenever it was used: when the ` +
            `library is loaded, too. ${text}`;
    }
    const both = `${grows} ${range}, the plain loops' as ${letter}^${two(plain.exponent?.value)}. The difference ` +
        `is ${two(plain.above?.value)} ${interval(plain.above)}; ${digits(growth.allowed, 3)} is allowed.`;
    if (isAtMost(plain.times_plain, plain.most_times)) return both;
    const last = `${atLast} a call takes ${digits(plain.times_plain?.value, 2)} times as long as the plain loops; ` +
        `${digits(plain.most_times, 3)} times is allowed.`;
    return isAtMost(plain.above, growth.allowed) ? `${last} ${both}` : `${both} ${last}`;
}

/// The line of a power law through the geometric mean of the points, over the whole axis.
function powerLine(exponent, middle, [low, high], x, y) {
    const at = (length) =>
        `${x(length).toFixed(1)} ${y(middle.value * (length / middle.length) ** exponent).toFixed(1)}`;
    return `${at(low)}L${at(high)}`;
}

function growthChart(growth) {
    const lengths = listOf(growth.lengths), values = listOf(growth.values), {plain} = growth;
    const plainValues = listOf((plain ?? growth.plain_memory)?.values);
    const pointsOf = (costs) => lengths.map((length, k) => ({length, value: costs[k]}))
        .filter(({length, value}) => isPositive(length) && isPositive(value));
    const measured = pointsOf(values), ofPlain = pointsOf(listOf(plain?.values));
    const words = growthInWords(growth), unit = growth.what === "memory" ? "MiB" : "ms";
    const caption = el("figcaption", {},
        el("b", {}, growth.what === "memory" ? "Memory beyond the arrays" : "Time of one call"), `, ${unit}`);
    const table = el("table", {class: "matrix"}, el("caption", {class: "hidden"}, "What was measured"),
        el("thead", {},
            el("tr", {}, el("th", {scope: "col"}, growth.length ?? "N"), el("th", {scope: "col"}, unit),
                plainValues.length > 0 && el("th", {scope: "col"}, `plain loops, ${unit}`))),
        el("tbody", {},
            lengths.map((length, k) => el("tr", {},
                el("th", {scope: "row"}, String(length)), el("td", {}, digits(values[k], 4)),
                plainValues.length > 0 && el("td", {}, digits(plainValues[k], 4))))));
    if (measured.length < 2) return el("figure", {class: "growth"}, caption, table, el("p", {}, words));
    const width = chartWidth(400), height = 260;
    const left = 56, right = width - 14, top = 26, bottom = height - 42;
    const lengthRange = extentOf(lengths.filter(isPositive));
    const valueRange = extentOf([...measured, ...ofPlain].map(({value}) => value));
    const domain = [lengthRange[0] / 1.2, lengthRange[1] * 1.2], range = [valueRange[0] / 2, valueRange[1] * 2];
    const x = logScale(domain, [left, right]), y = logScale(range, [bottom, top]);
    const mean = (points, pick) =>
        Math.exp(points.reduce((sum, each) => sum + Math.log(pick(each)), 0) / points.length);
    const middleOf = (points) =>
        ({length: mean(points, ({length}) => length), value: mean(points, ({value}) => value)});
    const middle = middleOf(measured);
    const clip = `inside-${Math.random().toString(36).slice(2)}`;
    const line = (exponent, look, through = middle) =>
        isNumber(exponent) && svg("path", {class: look, d: "M" + powerLine(exponent, through, domain, x, y)});
    const points = (of, look, whose) => of.map((each) => svg("circle",
        {class: look, cx: x(each.length), cy: y(each.value), r: 4},
        svg("title", {}, `${each.length}: ${digits(each.value)} ${unit}${whose}`)));
    // Beside the plain loops, the allowed power follows from theirs.
    const allowed = plain ? plain.exponent?.value + growth.allowed : growth.allowed;
    const power = (exponent) => `${letterOf(growth)}^${isNumber(exponent) ? exponent.toFixed(2) : "?"}`;
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
                axisAtLeft(y, range, {left, right, label: `${unit} (both scales are logarithmic)`, most: 6}),
                svg("g", {"clip-path": `url(#${clip})`}, fan,
                    ofPlain.length > 1 && line(plain.exponent?.value, "fitted-plain", middleOf(ofPlain)),
                    line(allowed, "allowed"), line(value, "fitted"),
                    points(ofPlain, "measured-plain", " of the plain loops"), points(measured, "measured", "")))),
        el("p", {class: "keys"},
            el("span", {}, el("span", {class: "stroke fitted"}), ` fitted, ${power(value)} `),
            plain && el("span", {}, el("span", {class: "stroke fitted-plain"}),
                ` plain loops, ${power(plain.exponent?.value)} `),
            el("span", {}, el("span", {class: "stroke allowed"}),
                ` allowed, ${plain ? power(allowed) : `${letterOf(growth)}^${digits(allowed, 3)}`}`)),
        el("p", {}, words), el("details", {}, el("summary", {}, "The numbers as a table"), table));
}
