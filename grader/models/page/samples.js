// Texts that a model wrote.

function sample(each) {
    return el("li", {class: each.right ? "sample" : "sample misread"},
        el("span", {class: "given"}, each.given), el("span", {class: "written"}, each.written),
        each.note && el("span", {class: each.right ? "dim small" : "bad small"}, each.right ? `  ${each.note}` : `  \u2717 ${each.note}`));
}

function sampleList(samples) {
    return el("ul", {class: "samples"}, samples.map(sample));
}
