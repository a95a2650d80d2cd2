// Texts as points of a plane: what is near means nearly the same.

function pointMap(map) {
    const points = map.points.filter((point) => isNumber(point.x) && isNumber(point.y));
    const width = chartWidth(720), height = Math.min(width, 520), margin = 24;
    const x = linearScale(extentOf(points.map((point) => point.x)) ?? [0, 1], [margin, width - margin]);
    const y = linearScale(extentOf(points.map((point) => point.y)) ?? [0, 1], [height - margin, margin]);
    const said = readout();
    const tell = (point) => () => said.replaceChildren(point.text);
    const dot = (point) => {
        const node = svg("circle", {class: "dot", cx: x(point.x).toFixed(1), cy: y(point.y).toFixed(1), r: 3, "data-point": point.group},
            svg("title", {}, point.text));
        node.addEventListener("pointerenter", tell(point));
        return node;
    };
    const marked = (point) => {
        const node = svg("g", {class: "marked", "data-mark": point.mark, tabindex: 0, role: "img", "aria-label": point.text},
            svg("circle", {cx: x(point.x).toFixed(1), cy: y(point.y).toFixed(1), r: 9}),
            svg("text", {x: x(point.x), y: y(point.y) + 4, "text-anchor": "middle"}, point.mark));
        for (const event of ["pointerenter", "focus"]) node.addEventListener(event, tell(point));
        return node;
    };
    const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const names = [...new Set(points.map((point) => point.group))].filter(Boolean).map((name) => {
        const own = points.filter((point) => point.group === name);
        return svg("text", {class: "group", x: x(mean(own.map((point) => point.x))), y: y(mean(own.map((point) => point.y))),
            "text-anchor": "middle"}, name);
    });
    return el("figure", {class: "point-map"}, el("figcaption", {}, el("b", {}, map.title)),
        el("div", {class: "scroll"}, drawing(width, height, map.title, points.filter((point) => !point.mark).map(dot), names,
            points.filter((point) => point.mark).map(marked))), said);
}
