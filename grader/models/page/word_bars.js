// The probabilities of words, as bars.

function wordBars(bars) {
    const line = 16, left = 96, width = 160, right = 52;
    const rows = bars.words.map((word, k) => {
        const p = bars.probabilities[k], y = k * line;
        return svg("g", {"data-bar": k, "data-probability": isNumber(p) ? p : "null"},
            svg("title", {}, `${word}: ${digits(p, 4)}`),
            svg("text", {x: left - 6, y: y + 12, "text-anchor": "end"}, cutWord(word)),
            svg("rect", {class: "bar yours", x: left, y: y + 2, width: isNumber(p) ? width * clamp(p, 0, 1) : 0, height: line - 4}),
            svg("text", {x: left + width + 6, y: y + 12}, isNumber(p) ? p.toFixed(2) : digits(p, 2)));
    });
    return el("div", {class: "panel"}, el("p", {class: "panel-name"}, `after \u201c${bars.title}\u201d`),
        el("div", {class: "scroll"}, drawing(left + width + right, rows.length * line + 2, `Words after ${bars.title}`, rows)));
}
