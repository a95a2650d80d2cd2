// The error map of a whole array: a small map of every slice, so that rows, heads and tiles are visible.

/// Whether an error, relative to the allowed one, is small enough. null (no number) never is.
function isAllowed(error) {
    return isNumber(error) && error <= 1;
}

/// Blue for allowed errors, orange for larger ones; the intensity grows with the logarithm.
function lookOfError(error) {
    if (error === 0) return {fill: "none"};
    const power = Math.log10(error);
    return error <= 1
        ? {fill: "var(--below)", "fill-opacity": (0.08 + 0.32 * clamp(1 + power / 3, 0, 1)).toFixed(3)}
        : {fill: "var(--above)", "fill-opacity": (0.4 + 0.6 * clamp(power / 6, 0, 1)).toFixed(3)};
}

function errorInWords(error) {
    if (!isNumber(error)) return "no number";
    if (error === 0) return "no error";
    return `${digits(error, 3)} times the allowed error`;
}

/// The rows or columns of a cell: "row 3" or "rows 8 to 11".
function span(word, cell, each, whole) {
    const first = cell * each, last = Math.min(first + each, whole ?? first + each) - 1;
    return first === last ? `${word} ${first}` : `${word}s ${first} to ${last}`;
}

function errorMap(picture) {
    const {map} = picture, letters = listOf(picture.letters), shape = listOf(picture.shape);
    const slices = listOf(map.slices), {rows, columns} = map, size = rows * columns;
    const panels = slices.reduce((product, length) => product * length, 1);
    const cell = Math.floor(clamp(132 / Math.max(rows, columns), 3, 14)), frames = [];
    const axes = slices.map((_, axis) => letters[axis] ?? `axis ${axis}`);
    const current = listOf(picture.slice).join();
    const small = (number) => {
        const index = indexOf(number, slices), frame = cursor();
        const errors = map.errors.slice(number * size, (number + 1) * size);
        const wrong = errors.filter((error) => !isAllowed(error)).length;
        const name = index.map((at, axis) => `${axes[axis]} ${at}`).join(", ") || picture.array;
        frames.push((k) => {
            frame.style.display = k === null ? "none" : "";
            if (k !== null)
                moveCursor(frame, (k % columns) * cell + 1, Math.floor(k / columns) * cell + 1, cell, cell);
        });
        const look = (error) => isNumber(error) ? lookOfError(error) : {fill: "url(#hatch)"};
        const cells = errors.map((error, k) => svg("rect", {
            x: (k % columns) * cell + 1,
            y: Math.floor(k / columns) * cell + 1,
            width: cell,
            height: cell,
            "data-cell": number * size + k,
            "data-error": isNumber(error) ? error : "null",
            ...look(error),
            "pointer-events": "all",
        }));
        return el("div", {class: "small-map" + (index.join() === current ? " current" : "")},
            drawing(columns * cell + 2, rows * cell + 2, `${name}: ${wrong} of ${size} cells wrong`,
                svg("rect",
                    {class: "ground", x: 0.5, y: 0.5, width: columns * cell + 1, height: rows * cell + 1}),
                svg("g", {}, cells), frame),
            el("p", {class: wrong > 0 ? "bad" : "dim"}, name, wrong > 0 ? " \u2717" : " \u2713"));
    };
    const readoutBox = readout();
    const show = (k) => {
        const number = Math.floor(k / size), index = indexOf(number, slices);
        const i = Math.floor(k % size / columns), j = k % columns, error = map.errors[k];
        const where = [
            ...index.map((at, axis) => `${axes[axis]} ${at}`),
            span("row", i, map.rows_per_cell, shape.at(-2)),
            span("column", j, map.columns_per_cell, shape.at(-1))
        ];
        readoutBox.replaceChildren(
            el("b", {}, where.join(", ")), `: ${errorInWords(error)}`, verdict(!isAllowed(error)));
        frames.forEach((frame, panel) => frame(panel === number ? k % size : null));
    };
    const box = el("div", {class: "small-maps"}, Array.from({length: panels}, (_, number) => small(number)));
    if (slices.length > 1) box.style.gridTemplateColumns = `repeat(${slices.at(-1)}, max-content)`;
    const worst = map.errors.findIndex((error) => !isAllowed(error));
    makeNavigable(box, {
        panels,
        rows,
        columns,
        start: Math.max(worst, 0),
        show,
        label: `Errors in all of ${picture.array}.`,
    });
    const perCell = map.rows_per_cell * map.columns_per_cell;
    return el("figure", {class: "error-map", "data-array": picture.array},
        el("figcaption", {}, el("b", {}, `Errors in all of ${picture.array} [${shape.join(", ")}]`),
            perCell > 1 && "; a cell shows the largest of ",
            perCell > 1 && `${map.rows_per_cell} by ${map.columns_per_cell} elements`),
        el("div", {class: "scroll"}, box), readoutBox,
        el("div", {class: "keys"}, el("div", {}, "error, in units of the allowed error (logarithmic scale)", errorKey()),
            el("div", {class: "dim"}, el("span", {class: "hatched"}), " no number")));
}

/// The legend of the error colours, in steps of a tenth of a power of ten.
function errorKey() {
    const powers = Array.from({length: 90}, (_, k) => -2.95 + k / 10);
    const swatch = (power, k) =>
        svg("rect", {x: 2 * k, y: 0, width: 2, height: 10, ...lookOfError(10 ** power)});
    const labels = [
        ["10\u207b\u00b3", 0, "start"], ["1", 60, "middle"], ["10\u00b3", 120, "middle"],
        ["10\u2076", 180, "end"]
    ];
    return drawing(180, 24, "blue below 1, orange above",
        svg("rect", {class: "ground", width: 180, height: 10}), powers.map(swatch),
        svg("path", {class: "key-mark", d: "M60 0v10"}),
        labels.map(([text, x, anchor]) => svg("text", {x, y: 22, "text-anchor": anchor}, text)));
}
