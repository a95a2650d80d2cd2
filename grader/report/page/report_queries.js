// Questions about a report: the same answers as grader/report/report_queries.cpp gives.

function isPassed(check) {
    return check.outcome === "passed";
}

function isCorrectnessCheck(check) {
    return check.kind !== "speed" && check.kind !== "growth";
}

function isFunctionCheck(check) {
    return isCorrectnessCheck(check) && check.kind !== "cuda";
}

function isLeftOut(check) {
    return check.outcome === "skipped" && !check.max_points;
}

function inWords(outcome) {
    return String(outcome ?? "unknown").replaceAll("_", " ");
}

/// Whether a check is shown to students only later.
function isKeptBack(check) {
    return isLeftOut(check) && ["after_deadline", "after_publication"].includes(check.disclosure);
}

/// The mark of a check: a sign, the class of its colour, and the outcome in words.
function markOf(check) {
    if (isPassed(check)) return {sign: "\u2713", look: "good", word: "ok"};
    const word = inWords(check.outcome);
    if (check.outcome === "skipped") {
        const waits = !isCorrectnessCheck(check) && check.max_points > 0;
        return {sign: "\u2013", look: "none", word: waits ? "not counted yet" : word};
    }
    if (check.outcome === "not_implemented") return {sign: "\u25cb", look: "none", word};
    if (check.outcome === "slow") return {sign: "~", look: "bad", word};
    return {sign: "\u2717", look: "bad", word};
}

function allAre(part, outcome) {
    const checked = listOf(part.checks).filter((check) => isFunctionCheck(check) && !isKeptBack(check));
    return checked.length > 0 && checked.every((check) => check.outcome === outcome);
}

function isNotStarted(part) {
    const checked = listOf(part.checks).filter((check) => isCorrectnessCheck(check) && !isKeptBack(check) &&
        !(check.kind === "cuda" && isLeftOut(check)));
    return checked.length > 0 && checked.every((check) => check.outcome === "not_implemented");
}

/// Whether all checks of a part are kept back.
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

/// Whether the check is a failed correctness check whose code compiled.
function isReportableFailure(check) {
    return isCorrectnessCheck(check) && !isKeptBack(check) && !isPassed(check) &&
        check.outcome !== "not_compiled";
}

/// The failed check that explains most, of the function or of its kernels; null if there is none.
function mostInformativeFailure(part, ofKernels) {
    const information = (check) => (listOf(check.smallest?.inputs).length > 0 ? 8 : 0) +
        (check.diagnosis ? 4 : 0) + (check.smallest ? 2 : 0) + (check.difference ? 1 : 0);
    let best = null;
    for (const check of listOf(part.checks).filter(isReportableFailure)) {
        if ((check.kind === "cuda") !== ofKernels) continue;
        if (best === null || information(check) > information(best)) best = check;
    }
    return best;
}

function isSameMistake(one, other) {
    return Boolean(one?.diagnosis && other?.diagnosis) &&
        JSON.stringify(one.diagnosis.mistakes) === JSON.stringify(other.diagnosis.mistakes);
}

/// The state of a part in one line.
function stateOf(part) {
    if (isNotStarted(part)) return "not implemented yet";
    if (isNothingShown(part)) return "kept back";
    const same = ["not_implemented", "not_compiled", "missing"].find((outcome) => allAre(part, outcome));
    const keptBack = listOf(part.checks).filter(isKeptBack).length;
    const counted = (kind, one, many) => {
        const checks = listOf(part.checks).filter((check) => check.kind === kind && !isKeptBack(check));
        const passed = checks.filter(isPassed).length;
        if (checks.length === 0) return null;
        const word = checks.length === 1 ? one : many;
        return passed === checks.length ? `${passed} ${word}` : `${passed} of ${checks.length} ${word}`;
    };
    const measured = listOf(part.checks).filter((check) => !isCorrectnessCheck(check) && !isLeftOut(check));
    const waiting = measured.filter((check) => check.outcome === "skipped").map((check) => check.kind);
    const rest = measured.filter((check) => check.outcome !== "skipped")
        .map((check) => `${check.kind} ${markOf(check).word}`);
    const counts = [counted("numeric", "numeric", "numeric"), counted("property", "property", "properties")];
    const all = same ? [same === "not_implemented" ? "not implemented yet" : inWords(same)] : counts;
    return [...all, counted("cuda", "as kernels", "as kernels"), ...rest,
        waiting.length > 0 && `${waiting.join(" and ")} not counted yet`,
        keptBack > 0 && `${keptBack} kept back`]
        .filter(Boolean)
        .join(", ");
}

/// "Tested with the course's f, because yours is wrong, too slow or not begun; you lose points only there."
function standInsOf(part) {
    const standIns = listOf(part.stand_ins), charged = listOf(part.charged_at);
    const kernels = part.race_charged_at
        ? `Kernels graded with a __syncthreads() added where those of ${part.race_charged_at} lack one; the points are lost there.`
        : "";
    const waits = listOf(part.checks).some((check) =>
        check.outcome === "skipped" && !isCorrectnessCheck(check) && check.max_points > 0);
    const lostThere = waits ? "you lose points there, and here only those that wait for it" : "you lose points only there";
    const costsNothing = `that costs no points here${waits ? " but those that wait for it" : ""}`;
    const same = part.mistake_charged_at
        ? `Right but for a mistake that ${part.mistake_charged_at} has, too; ${lostThere}.`
        : "";
    const elsewhere = part.costs_elsewhere
        ? `${part.costs_elsewhere[0].toUpperCase()}${part.costs_elsewhere.slice(1)}.` : "";
    const chargedThere = charged.join() === standIns.join();
    const text = standIns[0] && `Tested with the course's ${standIns.join(", ")}, because yours`
        + `${chargedThere ? "" : standIns[1] ? ", or what they call," : ", or what it calls,"} ${standIns[1] ? "are" : "is"} wrong, too slow or not begun; `
        + `${chargedThere ? lostThere : costsNothing}.`;
    return [text, same, elsewhere, kernels].filter(Boolean).join(" ");
}

/// Whether a check has pictures to look at, also if it is passed.
function isToBeSeen(check) {
    const pictures = listOf(check.pictures);
    return pictures.length > 0 && (isPassed(check) || pictures.some((picture) => listOf(picture.sentences).length > 0));
}

/// What two failures that look alike have in common: everything but the numbers of their messages.
function kindOfFailure(check) {
    const text = check.diagnosis ? JSON.stringify(check.diagnosis.mistakes) : String(check.message ?? "").replace(/\d+/g, "0");
    return [check.outcome, check.kind === "cuda", text].join("|");
}

/// Splits the next step into its description and its command.
function nextStep(text) {
    const [what, command] = String(text ?? "").split(/\. Then: (?=make )/);
    return {what, command};
}
