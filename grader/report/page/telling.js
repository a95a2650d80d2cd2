// What of a part is worth telling, and in which words: the same choice as the terminal's.

function isPassed(check) {
    return check.outcome === "passed";
}

function isOfNumbers(check) {
    return check.kind !== "speed" && check.kind !== "growth";
}

function isOfFunction(check) {
    return isOfNumbers(check) && check.kind !== "cuda";
}

function isLeftOut(check) {
    return check.outcome === "skipped" && !check.max_points;
}

function inWords(outcome) {
    return String(outcome ?? "unknown").replaceAll("_", " ");
}

/// Shown to students later.
function isKeptBack(check) {
    return isLeftOut(check) && ["after_deadline", "after_publication"].includes(check.disclosure);
}

/// How a check is marked: a sign, and the class of its colour, which never stands alone.
function markOf(check) {
    if (isPassed(check)) return {sign: "\u2713", look: "good", word: "ok"};
    const word = inWords(check.outcome);
    if (check.outcome === "skipped") return {sign: "\u2013", look: "none", word};
    if (check.outcome === "not_implemented") return {sign: "\u25cb", look: "none", word};
    if (check.outcome === "slow") return {sign: "~", look: "bad", word};
    return {sign: "\u2717", look: "bad", word};
}

function allAre(part, outcome) {
    const asked = listOf(part.checks).filter((check) => isOfFunction(check) && !isKeptBack(check));
    return asked.length > 0 && asked.every((check) => check.outcome === outcome);
}

function isNotStarted(part) {
    return allAre(part, "not_implemented");
}

/// Nothing that its reader may know of yet.
function isNothingShown(part) {
    return listOf(part.checks).every(isKeptBack);
}

function isAllPassed(part) {
    return !isNothingShown(part) && listOf(part.checks).every((check) => isPassed(check) || isLeftOut(check));
}

function isNotHandedIn(assignment) {
    const sources = listOf(assignment.sources);
    return sources.length > 0 && sources.every((source) => !source.exists);
}

function isNotBegun(assignment) {
    const parts = listOf(assignment.parts);
    return isNotHandedIn(assignment) || (parts.length > 0 && parts.every(isNotStarted));
}

/// A failure, of numbers, that was run.
function canBeTold(check) {
    return isOfNumbers(check) && !isKeptBack(check) && !isPassed(check) && check.outcome !== "not_compiled";
}

/// The failure that says most about a part; null where none was run.
function mostTelling(part) {
    const telling = (check) => (listOf(check.smallest?.inputs).length > 0 ? 8 : 0) +
        (check.diagnosis ? 4 : 0) + (check.smallest ? 2 : 0) + (check.difference ? 1 : 0);
    let most = null;
    for (const check of listOf(part.checks).filter(canBeTold))
        if (most === null || telling(check) > telling(most)) most = check;
    return most;
}

function isSameMistake(one, other) {
    return Boolean(one?.diagnosis && other?.diagnosis) &&
        JSON.stringify(one.diagnosis.mistakes) === JSON.stringify(other.diagnosis.mistakes);
}

/// What became of a part, in a line.
function stateOf(part) {
    if (isNotStarted(part)) return "not implemented yet";
    for (const outcome of ["not_compiled", "missing"])
        if (allAre(part, outcome)) return inWords(outcome);
    if (isNothingShown(part)) return "kept back";
    const keptBack = listOf(part.checks).filter(isKeptBack).length;
    const counted = (kind, one, many) => {
        const checks = listOf(part.checks).filter((check) => check.kind === kind && !isKeptBack(check));
        const passed = checks.filter(isPassed).length;
        if (checks.length === 0) return null;
        const word = checks.length === 1 ? one : many;
        return passed === checks.length ? `${passed} ${word}` : `${passed} of ${checks.length} ${word}`;
    };
    const rest = listOf(part.checks)
        .filter((check) => !isOfNumbers(check) && !isLeftOut(check))
        .map((check) => `${check.kind} ${markOf(check).word}`);
    return [counted("numeric", "numeric", "numeric"), counted("property", "property", "properties"),
        counted("cuda", "as kernels", "as kernels"), ...rest,
        keptBack > 0 && `${keptBack} kept back`]
        .filter(Boolean)
        .join(", ");
}

/// "graded with the reference's f in place of yours; it is charged there"
function standInsOf(part) {
    const standIns = listOf(part.stand_ins), payers = listOf(part.charged_at);
    if (standIns.length === 0) return "";
    const text = `Graded with the reference's ${standIns.join(", ")} in place of yours`;
    if (payers.length === 0) return text + ".";
    return payers.join() === standIns.join() ? text + "; it is charged there."
                                             : `${text}; it is charged at ${payers.join(", ")}.`;
}

/// The command and what comes before it, of what to do next.
function nextStep(text) {
    const [what, command] = String(text ?? "").split(/\. Then: (?=make )/);
    return {what, command};
}
