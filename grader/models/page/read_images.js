// Small images with the weights of attention on their patches.

/// From white, where nothing was looked at, to orange.
function lightAt(share) {
    return [255, 255, 255].map((white, k) => Math.round(white + ([255, 132, 0][k] - white) * clamp(share, 0, 1)));
}

/// The image in grey, dark ink on white, and orange where it was looked at.
/// `most`: the largest weight of all images beside each other, so that they have one scale.
function readImage(image, most) {
    const side = Math.max(2, Math.floor(96 / image.width)), width = image.width * side, height = image.height * side;
    // Ink under a small patch would hide its colour.
    const strength = image.width > 12 ? 0.55 : 1;
    const columns = image.width / image.patch, length = image.patch * side;
    const pixels = listOf(image.ink).map((ink, k) => svg("rect", {
        x: (k % image.width) * side, y: Math.floor(k / image.width) * side, width: side, height: side,
        fill: rgb([255, 255, 255].map((white) => Math.round(white * (1 - strength * ink)))),
    }));
    const patches = listOf(image.looked).map((weight, k) => svg("rect", {
        x: (k % columns) * length, y: Math.floor(k / columns) * length, width: length, height: length,
        class: "looked", fill: isNumber(weight) ? rgb(lightAt(weight / most)) : "url(#hatch)",
        "data-weight": isNumber(weight) ? weight : "null",
    }, svg("title", {}, `patch ${Math.floor(k / columns)}, ${k % columns}: weight ${digits(weight, 3)}`)));
    const figure = el("figure", {class: image.right ? "read-image" : "read-image misread"},
        drawing(width, height, `${image.caption}`,
            svg("g", {}, pixels), svg("g", {class: "light"}, patches)),
        el("figcaption", {}, image.right ? "" : el("span", {class: "bad"}, "\u2717 "), image.caption));
    if (image.starts_row) figure.style.gridColumnStart = 1;
    return figure;
}

function readImages(images, columns) {
    const largest = Math.max(...images.flatMap((image) => listOf(image.looked)).filter(isNumber), 1e-9);
    const box = el("div", {class: "read-images"}, images.map((image) => readImage(image, largest)));
    if (columns > 0) box.style.gridTemplateColumns = `repeat(${columns}, max-content)`;
    return [el("div", {class: "scroll"}, box),
        images.some((image) => listOf(image.looked).length > 0) && el("div", {class: "keys"}, el("div", {}, "weight",
            colourBar(`linear-gradient(to right, #fff, ${rgb(lightAt(1))})`, ["0", digits(largest, 2)])))];
}
