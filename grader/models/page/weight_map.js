// A matrix of weights of attention, with a word for each row and column.

/// The cell with the largest weight. A row with a single weight, such as the first one below a causal mask, had no choice.
function mostWeight(values, columns) {
    const choices = (row) => values.slice(row * columns, (row + 1) * columns).filter((value) => value > 0).length;
    const chosen = values.map((value, k) => isNumber(value) && choices(Math.floor(k / columns)) > 1 ? value : -1);
    return Math.max(0, chosen.indexOf(Math.max(...chosen)));
}

/// `most`: the largest weight of all maps beside each other, so that they have one scale.
function weightMap(map, most) {
    const rows = map.rows.length, columns = map.columns.length, values = listOf(map.weights);
    const matrix = {rows, columns, firstRow: 0, firstColumn: 0, rowWords: map.rows, columnWords: map.columns,
        rowLetter: "", columnLetter: ""};
    const look = (k) => {
        const colour = viridisAt(values[k] / most);
        return {fill: rgb(colour), ink: inkOn(colour)};
    };
    // Two decimals, so that the number of a small weight fits into its cell.
    const rounded = values.map((value) => isNumber(value) ? Math.round(100 * value) / 100 : value);
    const drawn = panel(map.title, matrix, rounded, () => false, look), readoutBox = readout();
    const show = (k) => {
        const from = map.rows[Math.floor(k / columns)], to = map.columns[k % columns];
        readoutBox.replaceChildren(el("b", {}, `\u201c${from}\u201d`), " looked at ", el("b", {}, `\u201c${to}\u201d`),
            ` with weight ${digits(values[k], 3)}`);
        drawn.pointTo(k);
    };
    makeNavigable(drawn.node, {rows, columns, start: mostWeight(values, columns), show, label: `Heat map of ${map.title}.`});
    return el("figure", {class: "weight-map"}, drawn.node, readoutBox,
        el("div", {class: "keys"}, colourBar(viridisGradient, ["0", digits(most, 2)])));
}
