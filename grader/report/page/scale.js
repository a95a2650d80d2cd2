// Maps numbers to positions on an axis and to colours that colour-blind people can distinguish.

function linearScale([low, high], [start, end]) {
    return (value) => high === low ? (start + end) / 2 : start + (end - start) * (value - low) / (high - low);
}

function logScale([low, high], range) {
    const scale = linearScale([Math.log(low), Math.log(high)], range);
    return (value) => scale(Math.log(value));
}

/// The ticks in an interval: 1, 2 and 5 times powers of ten; fewer factors if that would be too many.
function logTicks([low, high], most = 9) {
    const ticksOf = (factors) => {
        const ticks = [];
        for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
            for (const factor of factors) {
                const tick = Number((factor * 10 ** power).toPrecision(3));
                if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push(tick);
            }
        }
        return ticks;
    };
    return [[1, 2, 5], [1, 3], [1]].map(ticksOf).find((ticks) => ticks.length <= most) ?? [low, high];
}

/// The step between shown labels, so that they are at least `distance` pixels apart.
function everyNth(pixelsEach, distance) {
    const need = Math.ceil(distance / pixelsEach);
    return [1, 2, 4, 5, 8, 10, 16, 20, 32, 50].find((step) => step >= need) ?? need;
}

function clamp(value, low, high) {
    return Math.min(Math.max(value, low), high);
}

// Viridis in eleven steps. It goes from dark to light, so it is also readable without colour.
const viridis = [
    [68, 1, 84], [72, 36, 117], [65, 68, 135], [53, 95, 141], [42, 120, 142], [33, 145, 140],
    [34, 168, 132], [68, 191, 112], [122, 209, 81], [189, 223, 38], [253, 231, 37],
];

function viridisAt(share) {
    const at = clamp(share, 0, 1) * (viridis.length - 1), step = Math.min(Math.floor(at), viridis.length - 2);
    return viridis[step].map((low, k) => Math.round(low + (viridis[step + 1][k] - low) * (at - step)));
}

function rgb([red, green, blue]) {
    return `rgb(${red}, ${green}, ${blue})`;
}

/// The class of the text colour that is readable on this colour.
function inkOn([red, green, blue]) {
    return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? "dark" : "light";
}

/// A bar of colours with labels below it.
function colourBar(gradient, labels) {
    const bar = el("span", {class: "bar-of-colours"});
    bar.style.background = gradient;
    return el("div", {class: "key"}, bar,
        el("span", {class: "key-labels"}, labels.map((label) => el("span", {}, label))));
}

const viridisGradient = `linear-gradient(to right, ${viridis.map(rgb).join(", ")})`;
