// Arrays as tables of numbers.

/// The number of digits: more for large numbers, which often differ only in their last digits.
function digitsFor(values) {
    return values.some((value) => isNumber(value) && Math.abs(value) >= 1000) ? 7 : 4;
}

/// The digits that show two digits of the largest difference of two tensors: at most 9, which tell all floats apart.
function digitsThatDiffer(values, others) {
    let largest = 0, count = Math.max(digitsFor(values), digitsFor(others));
    for (const [k, value] of values.entries()) {
        const other = others[k], difference = Math.abs(value - other);
        if (!isNumber(value) || !isNumber(other) || !(difference > largest)) continue;
        largest = difference;
        const size = Math.max(Math.abs(value), Math.abs(other));
        count = Math.min(9, Math.max(digitsFor(values), Math.ceil(Math.log10(size / difference)) + 2));
    }
    return count;
}

/// The digits with which all numbers of an input can be typed in as they are, as digits_to_type_in() in numbers.cpp.
function digitsToTypeIn(values) {
    const least = digitsFor(values), floats = values.filter(isNumber);
    for (let count = least; count <= 6; ++count)
        if (floats.every((value) => Math.fround(Number(value.toPrecision(count))) === Math.fround(value))) return count;
    return least;
}

/// A matrix with indices, or words, along its sides. `marked(k)`: whether element k is wrong.
function matrixTable(title, matrix) {
    const {rows, columns, values, firstRow = 0, firstColumn = 0, rowWords, columnWords, marked, count = digitsFor(values)} = matrix;
    const header = (words, first, k) => words?.[k] ? `${first + k} ${cutWord(words[k])}` : String(first + k);
    const cell = (k) => {
        const wrong = marked?.(k) ?? false;
        return el("td", {class: wrong && "wrong"}, digits(values[k], count), wrong && hidden(" (differs)"));
    };
    const row = (i) => el("tr", {},
        el("th", {scope: "row"}, header(rowWords, firstRow, i)),
        Array.from({length: columns}, (_, j) => cell(i * columns + j)));
    return el("table", {class: "matrix"}, el("caption", {}, title),
        el("thead", {},
            el("tr", {}, el("td", {}),
                Array.from({length: columns},
                    (_, j) => el("th", {scope: "col"}, header(columnWords, firstColumn, j))))),
        el("tbody", {}, Array.from({length: rows}, (_, i) => row(i))));
}

/// A tensor as tables, one for each matrix of its last two axes. Beside another tensor it has as many digits as their
/// largest difference needs. `wrong`: 1 for each element that is marked.
function tensorTables(tensor, suffix = "", other = null, wrong = []) {
    const shape = listOf(tensor.shape), values = listOf(tensor.values);
    const columns = shape.at(-1) ?? 1, rows = shape.length > 1 ? shape.at(-2) : 1;
    const before = shape.slice(0, -2), size = rows * columns;
    const count = other === null ? digitsToTypeIn(values) : digitsThatDiffer(values, listOf(other.values));
    const tables = [];
    for (let first = 0; size > 0 && first < values.length; first += size) {
        const index = indexOf(first / size, before);
        const isOneOfMany = before.some((length) => length > 1);
        const name = isOneOfMany ? nameOfMatrix(tensor.name, index) : tensor.name;
        tables.push(matrixTable(name + suffix, {
            rows,
            columns,
            values: values.slice(first, first + size),
            marked: (k) => wrong[first + k] === 1,
            count,
        }));
    }
    return tables;
}

/// A matrix of an array with more axes: "A[1][0]". An array with two axes has its own name.
function nameOfMatrix(name, index) {
    return name + index.map((at) => `[${at}]`).join("");
}

/// The index of element k of an array of this shape.
function indexOf(k, shape) {
    const index = [];
    for (const length of [...shape].reverse()) {
        index.unshift(k % length);
        k = Math.floor(k / length);
    }
    return index;
}

/// The smallest inputs that still fail, and the outputs.
function smallestCase(smallest) {
    const inputs = listOf(smallest.inputs), yours = listOf(smallest.yours);
    const expected = listOf(smallest.expected), intermediates = listOf(smallest.intermediates);
    const outputs = yours.map((tensor, k) => {
        const wrong = smallest.wrong?.[k]?.values ?? [];
        const right = wrong.length && !wrong.includes(1);
        return el("div", {class: "matrices"},
            tensorTables(tensor, right ? " (right)" : " yours", expected[k], wrong),
            !right && expected[k] && tensorTables(expected[k], " expected", tensor));
    });
    return el("section", {class: "smallest"},
        el("h5", {}, "A small case that still fails ", el("span", {class: "dim mono"}, smallest.sizes),
            inputs.length + yours.length === 0 && " (its numbers are too many to show)"),
        inputs.length > 0 && el("div", {class: "matrices"}, inputs.map((tensor) => tensorTables(tensor))),
        outputs,
        intermediates.length > 0 && el("p", {}, "On the way a right solution computes:"),
        intermediates.length > 0 &&
            el("div", {class: "matrices"}, intermediates.map((tensor) => tensorTables(tensor))),
        smallest.printed && output("For this case your code printed", smallest.printed));
}
