// An output and its expected values: three heat maps with a common readout.

function differencesOf({yours: {values: yours}, expected: {values: expected}}) {
    return yours.map((value, k) => isNumber(value) && isNumber(expected[k]) ? value - expected[k] : null);
}

/// A function that says whether element k is wrong. If each cell of the error map is one element, the map
/// decides. A coarser cell has the error of its worst element; from it follows the allowed error, which is the
/// same for all elements of an array.
function wrongOf(picture, differences = differencesOf(picture)) {
    const {map, slice} = picture, [rows, columns] = picture.yours.shape;
    const yours = picture.yours.values;
    if (!map || !(map.rows > 0)) return (k) => !isNumber(yours[k]);
    const matrix = listOf(slice).reduce((at, index, axis) => at * map.slices[axis] + index, 0);
    const errors = Array.from({length: rows * columns}, (_, k) => {
        const i = Math.floor(((picture.first_row ?? 0) + Math.floor(k / columns)) / map.rows_per_cell);
        const j = Math.floor(((picture.first_column ?? 0) + k % columns) / map.columns_per_cell);
        return map.errors[(matrix * map.rows + i) * map.columns + j];
    });
    if (map.rows_per_cell === 1 && map.columns_per_cell === 1) return (k) => !isAllowed(errors[k]);
    let allowed = 0;
    differences.forEach((difference, k) => {
        if (isNumber(difference) && errors[k] > 0)
            allowed = Math.max(allowed, Math.abs(difference) / errors[k]);
    });
    return (k) => !isNumber(differences[k]) || Math.abs(differences[k]) > allowed * 1.0001;
}

/// One colour scale for yours and expected. Numbers far outside the expected range get the colour of the
/// scale's end; otherwise all other numbers would have the same colour.
function commonScale(yours, expected) {
    const expectedRange = extentOf(expected) ?? extentOf(yours) ?? [0, 1];
    const all = extentOf([...yours, ...expected]) ?? expectedRange;
    const width = expectedRange[1] - expectedRange[0] || Math.abs(expectedRange[0]) || 1;
    const low = Math.max(all[0], expectedRange[0] - width), high = Math.min(all[1], expectedRange[1] + width);
    return {
        share: linearScale([low, high], [0, 1]),
        labels: [
            (all[0] < low ? "\u2264 " : "") + digits(low, 3),
            (all[1] > high ? "\u2265 " : "") + digits(high, 3)
        ],
    };
}

/// "rows 8 to 17 of 64", or "11 columns" if these are all.
function windowOf(count, first, whole, word) {
    if (!(whole > count)) return plural(count, word);
    return `${word}s ${first} to ${first + count - 1} of ${whole}`;
}

/// What the picture shows, and what to look at.
function sentencesOf(picture) {
    return listOf(picture.sentences).map((sentence) => el("p", {class: "look"}, sentence));
}

/// The place of an element: of a vector, one index.
function placeOf(picture, i, j) {
    return place(picture.array, [...listOf(picture.slice), ...listOf(picture.shape).length > 1 ? [i, j] : [j]]);
}

function heatMap(picture) {
    const [rows, columns] = picture.yours.shape, judged = picture.map?.rows > 0;
    const letters = listOf(picture.letters), shape = listOf(picture.shape);
    const yours = picture.yours.values, expected = picture.expected.values, slice = listOf(picture.slice);
    const matrix = {
        rows,
        columns,
        firstRow: picture.first_row ?? 0,
        firstColumn: picture.first_column ?? 0,
        rowWords: listOf(picture.row_words),
        columnWords: listOf(picture.column_words),
        rowLetter: letters.at(-2) ?? "",
        columnLetter: letters.at(-1) ?? "",
    };
    const isOff = judged && picture.map.errors.some((error) => !isAllowed(error));
    const differences = differencesOf(picture);
    const wrong = wrongOf(picture, differences), never = () => false;
    const common = commonScale(yours, expected);
    const largest = Math.max(...(extentOf(differences) ?? [0]).map(Math.abs), 0);
    const sequential = (values) => (k) => {
        const colour = viridisAt(common.share(values[k]));
        return {fill: rgb(colour), ink: inkOn(colour)};
    };
    const diverging = (k) => {
        const share = largest > 0 ? differences[k] / largest : 0;
        return {
            fill: share < 0 ? "var(--below)" : "var(--above)",
            opacity: Math.abs(share).toFixed(3),
            ink: "plain"
        };
    };
    const panels = [
        panel("expected", matrix, expected, never, sequential(expected)),
        panel("yours", matrix, yours, wrong, sequential(yours)),
        (judged ? isOff : largest > 0) && panel("difference", matrix, differences, wrong, diverging),
    ].filter(Boolean);
    const readoutBox = readout();
    const show = (k) => {
        const i = Math.floor(k / columns), j = k % columns;
        const words = [matrix.rowWords[i], matrix.columnWords[j]].filter((word) => word !== undefined);
        const where = placeOf(picture, matrix.firstRow + i, matrix.firstColumn + j);
        readoutBox.replaceChildren(el("b", {}, where), words.map((word) => ` \u201c${word}\u201d`).join(""),
            `: expected ${digits(expected[k], 6)}, yours ${digits(yours[k], 6)}, `,
            `difference ${signed(differences[k], 3)}`, judged ? verdict(wrong(k)) : "");
        for (const each of panels) each.pointTo(k);
    };
    const box = el("div", {class: "panels"}, panels.map((each) => each.node));
    // The worst cell is selected: no number, or the largest difference.
    const badness = (k) => wrong(k) ? (isNumber(differences[k]) ? Math.abs(differences[k]) : Infinity) : -1;
    const worst = yours.reduce((best, _, k) => badness(k) > badness(best) ? k : best, 0);
    makeNavigable(box, {
        rows,
        columns,
        start: worst,
        show,
        label: `Heat maps of ${picture.array}: expected, yours, difference.`
    });
    const sizes = [
        windowOf(rows, matrix.firstRow, shape.at(-2), "row"),
        windowOf(columns, matrix.firstColumn, shape.at(-1), "column")
    ];
    return el("figure", {class: "heatmap", "data-array": picture.array},
        el("figcaption", {}, el("b", {}, nameOfMatrix(picture.array, slice)),
            slice.length > 0 ? ` of [${shape.join(", ")}]: ` : ": ", sizes.join(", ")),
        sentencesOf(picture), box, readoutBox,
        el("div", {class: "keys"},
            el("div", {}, "expected, yours", colourBar(viridisGradient, common.labels)),
            (judged ? isOff : largest > 0) && el("div", {}, "yours \u2212 expected",
                colourBar("linear-gradient(to right, var(--below), var(--middle), var(--above))",
                    [signed(-largest, 3), "0", signed(largest, 3)])),
            isOff && el("div", {class: "dim"}, el("span", {class: "dot"}), " or outlined: wrong",
                el("span", {class: "hatched"}), " no number")),
        asTables(matrix, picture, wrong));
}

/// The same numbers as tables, made when they are opened.
function asTables(matrix, picture, wrong) {
    const box = el("div", {class: "matrices"});
    const title = el("summary", {}, "The numbers as tables");
    const details = el("details", {class: "numbers-as-table"}, title, box);
    drawWhenOpened(details, box, () => [
        matrixTable("expected", {...matrix, values: picture.expected.values}),
        matrixTable("yours", {...matrix, values: picture.yours.values, marked: wrong}),
    ]);
    return details;
}
