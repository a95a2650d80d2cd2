// One matrix as a heat map: cells, indices or words along its sides, and marks on wrong elements.

const letterHeight = 14, dottedFrom = 12, characterWidth = 6.7;

/// The size and position of the cells. Three panels fit next to each other on a wide screen.
function panelGeometry({rows, columns, rowWords, columnWords, firstRow, rowLetter}) {
    const widthOf = (words) => Math.max(0, ...words.map((word) => cutWord(word).length)) * characterWidth;
    const lastIndex = String(firstRow + rows - 1).length * 7;
    const left = Math.ceil(8 + Math.max(widthOf(rowWords), lastIndex, rowLetter.length * 7));
    const slanted = Math.ceil(widthOf(columnWords) * 0.71);
    const top = letterHeight + (columnWords.length > 0 ? slanted + 10 : 16);
    const available = (chartWidth(324) - left - Math.max(slanted, 8)) / columns;
    const cell =
        columns <= 6 && rows <= 12 ? Math.floor(clamp(available, 36, 46)) : Math.floor(clamp(available, 5, 28));
    return {left, top, cell, right: Math.max(slanted + 6 - Math.floor(cell / 2), 8), bottom: 4};
}

/// Indices or words along the sides, as many as are readable; words above columns are slanted.
function labelsAlong({rows, columns, rowWords, columnWords, firstRow, firstColumn, rowLetter, columnLetter},
    {left, top, cell}) {
    const labels = [
        svg("text", {x: left, y: 10, class: "letter"}, columnLetter && `${columnLetter} \u2192`),
        svg("text", {x: left - 6, y: top - 5, class: "letter", "text-anchor": "end"}, rowLetter),
    ];
    const widest = String(firstColumn + columns - 1).length * 7 + 6;
    const eachColumn = everyNth(cell, columnWords.length > 0 ? 16 : widest), eachRow = everyNth(cell, 12);
    for (let j = 0; j < columns; j += eachColumn) {
        const x = left + (j + 0.5) * cell, word = columnWords[j];
        labels.push(word !== undefined
            ? svg("text", {transform: `translate(${x + 3} ${top - 5}) rotate(-45)`}, cutWord(word))
            : svg("text", {x, y: top - 5, "text-anchor": "middle"}, String(firstColumn + j)));
    }
    for (let i = 0; i < rows; i += eachRow) {
        labels.push(svg("text", {x: left - 6, y: top + (i + 0.5) * cell + 4, "text-anchor": "end"},
            rowWords[i] !== undefined ? cutWord(rowWords[i]) : String(firstRow + i)));
    }
    return svg("g", {class: "labels"}, labels);
}

/// An outline around wrong elements, for cells that are too small for marks.
function outlineOf({rows, columns}, wrong, {left, top, cell}) {
    const isWrong = (i, j) => i >= 0 && i < rows && j >= 0 && j < columns && wrong(i * columns + j);
    let path = "";
    for (let i = 0; i <= rows; i++) {
        for (let j = 0; j <= columns; j++) {
            const from = `M${left + j * cell} ${top + i * cell}`;
            if (isWrong(i, j) !== isWrong(i - 1, j)) path += `${from}h${cell}`;
            if (isWrong(i, j) !== isWrong(i, j - 1)) path += `${from}v${cell}`;
        }
    }
    return [svg("path", {class: "outline outer", d: path}), svg("path", {class: "outline", d: path})];
}

/// The number with as many digits as its cell has room for: "0.43", "0.002", "7e\u22124".
function numberInside(value, cell) {
    const texts = [digits(value, 2), digits(value, 1), value.toExponential(0).replace(/e\+?/, "e").replaceAll("-", "\u2212")];
    return texts.find((text) => text.length * characterWidth <= cell - 4) ?? texts.at(-1);
}

/// Returns the panel and a function that frames one of its cells. `look(k)`: {fill, opacity, ink} of element k.
function panel(name, matrix, values, wrong, look) {
    const {rows, columns} = matrix, {left, top, cell, right, bottom} = panelGeometry(matrix);
    const width = left + columns * cell + right, height = top + rows * cell + bottom;
    const gap = cell >= 12 ? 1 : 0;
    const cells = [], marks = [], numbers = [];
    values.forEach((value, k) => {
        const x = left + (k % columns) * cell, y = top + Math.floor(k / columns) * cell;
        const {fill, opacity, ink} = isNumber(value) ? look(k) : {fill: "url(#hatch)"};
        cells.push(svg("rect", {
            x, y, width: cell - gap, height: cell - gap, fill, "fill-opacity": opacity,
            "data-cell": k, "data-value": isNumber(value) ? value : "null", "data-wrong": wrong(k),
        }));
        if (wrong(k) && cell >= dottedFrom) {
            const radius = clamp(cell / 9, 1.5, 2.5), inset = radius + 3;
            marks.push(svg("circle", {cx: x + cell - inset, cy: y + inset, r: radius}));
        }
        if (cell >= 36 && isNumber(value))
            numbers.push(
                svg("text", {x: x + cell / 2, y: y + cell / 2 + 5, class: ink ?? "plain"}, numberInside(value, cell)));
    });
    const frame = cursor();
    const count = values.filter((_, k) => wrong(k)).length;
    const words = `${name}: ${rows} by ${columns}, ${plural(count, "element")} wrong`;
    const picture = drawing(width, height, words,
        labelsAlong(matrix, {left, top, cell}),
        svg("rect",
            {class: "ground", x: left, y: top, width: columns * cell - gap, height: rows * cell - gap}),
        svg("g", {class: "cells"}, cells), svg("g", {class: "numbers"}, numbers),
        svg("g", {class: "dots"}, marks), cell < dottedFrom && outlineOf(matrix, wrong, {left, top, cell}),
        frame);
    const pointTo = (k) => moveCursor(
        frame, left + (k % columns) * cell, top + Math.floor(k / columns) * cell, cell - gap, cell - gap);
    const node = el("div", {class: "panel", "data-panel": name}, el("p", {class: "panel-name"}, name),
        el("div", {class: "scroll"}, picture));
    return {node, pointTo};
}
