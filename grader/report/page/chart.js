// Shared by the charts: logarithmic axes and the width.

/// The width of a chart: at most `most`, less on a narrow screen.
function chartWidth(most) {
    return Math.max(260, Math.min(most, document.documentElement.clientWidth - 72));
}

/// The horizontal axis: ticks with numbers and grid lines.
function axisBelow(x, domain, {top, bottom, label, most}) {
    const [left, right] = domain.map(x);
    return svg("g", {class: "axis"},
        logTicks(domain, most).map((tick) => [
            svg("line", {x1: x(tick), x2: x(tick), y1: top, y2: bottom}),
            svg("text", {x: x(tick), y: bottom + 15, "text-anchor": "middle"}, digits(tick, 3)),
        ]),
        svg("text", {x: (left + right) / 2, y: bottom + 32, "text-anchor": "middle", class: "letter"},
            label));
}

/// The vertical axis.
function axisAtLeft(y, domain, {left, right, label, most}) {
    return svg("g", {class: "axis"},
        logTicks(domain, most).map((tick) => [
            svg("line", {x1: left, x2: right, y1: y(tick), y2: y(tick)}),
            svg("text", {x: left - 6, y: y(tick) + 4, "text-anchor": "end"}, digits(tick, 3)),
        ]),
        svg("text", {x: left, y: Math.min(...domain.map(y)) - 8, class: "letter"}, label));
}

/// Three significant digits, because intervals are often narrow.
function ratio(value) {
    if (!isNumber(value)) return "?";
    return Math.abs(value) < 100 ? value.toPrecision(3) : value.toFixed(0);
}

function isPositive(value) {
    return isNumber(value) && value > 0;
}
