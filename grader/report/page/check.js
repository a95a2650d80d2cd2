// A check: its inputs, the outcome, the differences and the named mistake.

/// The mark of markOf() in a coloured box. The outcome stands next to it in words.
function markBox({sign: text, look}) {
    return el("span", {class: `sign ${look}`, "aria-hidden": "true"}, text);
}

function worstPlace(difference) {
    const at = place(difference.array ?? "", listOf(difference.index));
    const count = Math.max(6, digitsThatDiffer([difference.yours], [difference.expected]));
    const error = isNumber(difference.error_yardsticks)
        ? `${countInWords(difference.error_yardsticks)} times the rounding error of a plain loop; ` +
            `${digits(difference.allowed_yardsticks, 3)} are allowed`
        : "not a finite number";
    return el("dl", {class: "worst"}, [
        ["worst at", at], ["yours", digits(difference.yours, count)],
        ["expected", digits(difference.expected, count)], ["error", error]
    ].map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

function namedMistake(diagnosis, step) {
    const lines = String(diagnosis.sentence ?? "").split("\n"), isItem = (line) => line.startsWith("- ");
    const items = lines.filter(isItem).map((line) => el("li", {}, line.slice(2)));
    return el("div", {class: "diagnosis"},
        lines.filter((line) => !isItem(line)).map((line) => el("p", {class: "strong"}, line)),
        items.length > 0 && el("ul", {}, items),
        listOf(diagnosis.hints).map((hint) => think(hint, step)));
}

function think(text, step) {
    return el("p", {class: "hint"}, el("b", {}, "Think: "), text,
        step > 0 && el("span", {class: "dim"}, ` (handout, step ${step})`));
}

function command(text) {
    return el("code", {class: "command"}, text);
}

function output(title, text) {
    return el("div", {}, el("h5", {}, title), el("pre", {tabindex: "0", "aria-label": title}, text));
}

/// The place of the difference, unless the message already contains it.
function whereElse(check) {
    const where = check.difference?.where ?? "";
    return where !== "" && !String(check.message ?? "").includes(where) && el("p", {}, where);
}

/// The lines of the submission at which a call failed.
function placesOf(lines) {
    const places = listOf(lines.places).map((p) => `${p.file}:${p.line}, in ${p.function}:   ${p.text}`);
    return el("div", {}, lines.what && el("p", {}, lines.what),
        places.length > 0 && el("pre", {tabindex: "0", "aria-label": "lines"}, places.join("\n")));
}

/// Whether the charts show everything, so that no message is needed.
function isMeasured(check) {
    return !isCorrectnessCheck(check) && (isPassed(check) || check.outcome === "slow");
}

/// The pictures of a check. What is right needs neither its differences nor a map of its errors.
function picturesOf(check) {
    const all = listOf(check.pictures).flatMap((picture, k) => {
        if (picture.curve) return [drawn(() => curveChart(picture))];
        const isOff = listOf(picture.map?.errors).some((error) => !isAllowed(error));
        const bars = drawn(() => isOverVocabulary(picture) ? barChart(picture) : isAlongSentence(picture) && sentenceChart(picture));
        const isFirst = !check.pictures.slice(0, k).some(({array}) => array === picture.array);
        return [bars, (!bars || isOff && !isAlongSentence(picture)) && drawn(() => heatMap(picture)),
            isOff && isFirst && drawn(() => errorMap(picture))];
    });
    return [...all, check.photograph && drawn(() => photograph(check.photograph))].filter(Boolean);
}

/// The inputs of the call: options in a line, arrays as tables, and the names of arrays too large to show.
function inputsOf(check) {
    const all = listOf(check.inputs), isOption = (tensor) => listOf(tensor.shape).length === 0;
    const large = (tensor) => listOf(tensor.values).length === 0;
    const options = all.filter(isOption).map((tensor) => `${tensor.name} = ${digits(tensor.values?.[0], 6)}`);
    return el("details", {class: "inputs", open: true}, el("summary", {}, "The inputs"),
        options.length > 0 && el("p", {class: "mono"}, options.join(", ")),
        el("div", {class: "matrices"},
            all.filter((tensor) => !isOption(tensor) && !large(tensor))
                .flatMap((tensor) => tensorTables(tensor))),
        all.filter((tensor) => !isOption(tensor) && large(tensor))
            .map((tensor) => el("p", {class: "dim"}, `${tensor.name} [${
                tensor.shape.join(", ")}] is too large to show: make explain ID=${check.id} ARGS="--save DIR"`)));
}

function isShownWhole(check) {
    return (check.disclosure ?? "full") === "full";
}

function checkBody(check, part, pictures) {
    return el("div", {class: "body"},
        check.about &&
            el("p", {class: "dim"}, check.kind === "property" ? `\u201c${check.about}\u201d` : check.about),
        check.message && !isMeasured(check) && el("p", {class: "message"}, check.message), whereElse(check),
        check.lines && placesOf(check.lines),
        check.difference && isCorrectnessCheck(check) && worstPlace(check.difference),
        check.pattern && el("p", {class: "pattern"}, check.pattern),
        check.diagnosis && namedMistake(check.diagnosis, part.step),
        (check.smallest || listOf(check.pictures).length > 0 || check.photograph) &&
            el("div", {class: "beside"}, check.smallest && drawn(() => smallestCase(check.smallest)), pictures),
        check.question && !check.diagnosis && think(check.question, part.step),
        listOf(check.inputs).length > 0 && drawn(() => inputsOf(check)),
        check.speed && drawn(() => speedChart(check.speed)),
        listOf(check.growth).length > 0 &&
            el("div", {class: "side-by-side"},
                check.growth.map((growth) => drawn(() => growthChart(growth)))),
        check.printed && !check.smallest?.printed && output("Printed output", check.printed),
        !isPassed(check) && !isLeftOut(check) && part.canBeReplayed && isShownWhole(check) &&
            el("p", {class: "then"}, "More on this: ",
                command(`make explain ID=${check.id}`)));
}

/// Attributes by which links and tests find a check.
function identityOf(check) {
    return {id: `check-${check.id}`, "data-check": check.id, "data-points": check.points};
}

/// A check that can be opened. `shownFailure`: the part's most informative failure.
function checkDetails(check, part, shownFailure, open) {
    const {look, word} = markOf(check);
    const pictures = el("div", {class: "pictures"});
    const details = el("details", {class: `check ${look}`, ...identityOf(check), open},
        el("summary", {}, markBox(markOf(check)), el("h4", {}, check.name || check.id || "check"),
            el("span", {class: "dim"}, check.kind), el("span", {class: `outcome ${look}`}, word),
            check !== shownFailure && isSameMistake(check, shownFailure) &&
                el("span", {class: "dim"}, "the same mistake"),
            !isShownWhole(check) && check.disclosure !== "category" &&
                el("span", {class: "dim"}, `shown to students: ${inWords(check.disclosure)}`),
            el("span", {class: "score"}, outOf(check))),
        checkBody(check, part, pictures));
    drawWhenOpened(details, pictures, () => picturesOf(check));
    return details;
}
