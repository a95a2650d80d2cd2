// A photograph that was cut into patches, with marks on the wrong patches, and dark where attention does not look.

/// A canvas with pixels of red, green and blue from 0 to 255. The browser enlarges it without blurring.
function pixelsOf({shape, values}) {
    const [height, width] = shape;
    const canvas = el("canvas", {width, height, "aria-hidden": "true"});
    const context = canvas.getContext("2d");
    if (!context) return canvas;
    const image = context.createImageData(width, height);
    for (let k = 0; k < width * height; k++) {
        for (let colour = 0; colour < 3; colour++) image.data[4 * k + colour] = values[3 * k + colour] ?? 0;
        image.data[4 * k + 3] = 255;
    }
    context.putImageData(image, 0, 0);
    return canvas;
}

function photograph(picture) {
    const [height, width] = picture.pixels.shape, side = picture.patch;
    const columns = Math.floor(width / side), rows = Math.floor(height / side);
    const errors = listOf(picture.errors), weights = listOf(picture.weights), most = (extentOf(weights) ?? [0, 0])[1];
    const scale = Math.max(1, Math.floor(Math.min(chartWidth(560) / width, 420 / height, 32)));
    const isWrong = (patch) => !isAllowed(errors[patch]);
    const frame = cursor();
    const length = side * scale;
    const left = (patch) => (patch % columns) * length, top = (patch) => Math.floor(patch / columns) * length;
    const square = (patch, more) =>
        svg("rect", {x: left(patch), y: top(patch), width: length, height: length, ...more});
    const patches = Array.from({length: rows * columns}, (_, patch) => patch);
    const count = patches.filter(isWrong).length;
    const overlay =
        drawing(width * scale, height * scale, `${rows * columns} patches, ${count} of them wrong`,
            weights.length > 0 && patches.map((patch) => square(patch, {
                class: "unseen", "fill-opacity": (0.7 * (1 - clamp(most > 0 ? weights[patch] / most : 0, 0, 1))).toFixed(3),
                "data-weight": isNumber(weights[patch]) ? weights[patch] : "null",
            })),
            patches.filter(isWrong).map((patch) => square(patch, {class: "wrong-patch"})),
            patches.map((patch) => square(patch, {
                class: "patch",
                "data-cell": patch,
                "data-error": isNumber(errors[patch]) ? errors[patch] : "null"
            })),
            frame);
    const canvas = pixelsOf(picture.pixels);
    canvas.style.width = `${width * scale}px`;
    const readoutBox = readout();
    const show = (patch) => {
        readoutBox.replaceChildren(el("b", {}, `${weights.length > 0 ? "Cell" : "Patch"} ${patch} `),
            `(row ${Math.floor(patch / columns)}, column ${patch % columns} of the grid): `,
            weights.length > 0 ? `weight ${digits(weights[patch], 3)}, ` : "", errorInWords(errors[patch]), verdict(isWrong(patch)));
        moveCursor(frame, left(patch), top(patch), length, length);
    };
    const box = el("div", {class: "photograph-box"}, canvas, overlay);
    makeNavigable(box, {
        rows,
        columns,
        start: Math.max(errors.findIndex((_, patch) => isWrong(patch)), 0),
        show,
        label: "The photograph's patches.",
    });
    const caption = weights.length > 0
        ? [el("b", {}, `${picture.array} on the photograph`), count > 0 ? `: ${count} of ${rows * columns} cells are wrong` : ""]
        : [el("b", {}, `${count} of ${rows * columns} patches are wrong`),
            ` in ${picture.array}; a patch is ${side} by ${side} pixels of ${height} by ${width}`];
    return el("figure", {class: "photograph"}, el("figcaption", {}, caption),
        el("div", {class: "scroll"}, box), readoutBox,
        weights.length > 0 && el("div", {class: "keys"}, el("div", {}, "weight",
            colourBar("linear-gradient(to right, rgb(77, 77, 77), #fff)", ["0", digits(most, 2)]))));
}
