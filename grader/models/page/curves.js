// A chart of lines, for example the loss of a training, with the heights that matter.

const curveColours = ["var(--accent)", "var(--above)", "var(--dim)", "var(--slow)"];

/// Round numbers in an interval, at most `most`.
function linearTicks([low, high], most = 6) {
    const rough = (high - low) / most, power = 10 ** Math.floor(Math.log10(rough || 1));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? 1;
    const ticks = [];
    for (let k = Math.ceil(low / step); k * step <= high * 1.0001; k++) ticks.push(Number((k * step).toPrecision(6)));
    return ticks;
}

function curveChart(chart) {
    const curves = listOf(chart.curves), levels = listOf(chart.levels);
    const xs = extentOf(curves.flatMap((curve) => listOf(curve.x))) ?? [0, 1];
    const ys = extentOf([...curves.flatMap((curve) => listOf(curve.y)), ...levels.map((level) => level.value), 0]) ?? [0, 1];
    const width = chartWidth(720), height = 320, left = 52, right = width - 20, top = 26, bottom = height - 42;
    const x = linearScale(xs, [left, right]), y = linearScale(ys, [bottom, top]);
    const line = (curve, k) => {
        const points = curve.x.map((at, i) => isNumber(curve.y[i]) ? `${x(at).toFixed(1)} ${y(curve.y[i]).toFixed(1)}` : null);
        const path = svg("path", {class: "curve", d: "M" + points.filter(Boolean).join("L"), "data-points": curve.x.length});
        path.style.stroke = curveColours[k % curveColours.length];
        return path;
    };
    /// Whether the text above the line would meet the line above.
    const isCrowded = (level) => levels.some((other) => other.value > level.value && y(level.value) - y(other.value) < 18);
    /// Below the picture, if the text is longer than the line.
    const isLong = (level) => level.text.length * characterWidth > right - left - 8;
    const picture = drawing(width, height, `${chart.title}: ${curves.map((curve) => curve.name).join(", ")}`,
        svg("g", {class: "axis"}, linearTicks(ys).map((tick) => [
            svg("line", {x1: left, x2: right, y1: y(tick), y2: y(tick)}),
            svg("text", {x: left - 6, y: y(tick) + 4, "text-anchor": "end"}, digits(tick, 3))])),
        svg("g", {class: "axis"}, linearTicks(xs, width < 500 ? 4 : 8).map((tick) =>
            svg("text", {x: x(tick), y: bottom + 16, "text-anchor": "middle"}, digits(tick, 5)))),
        svg("text", {x: (left + right) / 2, y: height - 6, "text-anchor": "middle", class: "letter"}, chart.x_name),
        svg("text", {x: 4, y: 12, class: "letter"}, chart.y_name),
        curves.map(line),
        levels.map((level) => [
            svg("line", {class: "level", x1: left, x2: right, y1: y(level.value), y2: y(level.value)}),
            svg("text", {class: "strong", x: right - 4, y: y(level.value) + (isCrowded(level) ? 13 : -5), "text-anchor": "end"},
                isLong(level) ? digits(level.value, 5) : level.text)]));
    const keys = curves.map((curve, k) => {
        const stroke = el("span", {class: "stroke"});
        stroke.style.borderTopColor = curveColours[k % curveColours.length];
        return el("span", {}, stroke, " ", curve.name);
    });
    const long = levels.filter(isLong).map((level) => el("p", {class: "small"}, level.text));
    return el("figure", {class: "curves"}, el("figcaption", {}, el("b", {}, chart.title)),
        el("div", {class: "scroll"}, picture), el("div", {class: "keys"}, keys), long);
}
