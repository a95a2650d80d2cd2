// The speed of a function, of the plain loops and of the yardstick, and the points that it earns.

function speedInWords(speed) {
    const plain = speed.times_plain ?? {}, yardstick = speed.times_yardstick ?? {};
    const from = ({low, high}) => `${ratio(low)} to ${ratio(high)}`;
    const noisy = " This machine was too noisy for a more precise result; the uncertainty counts in your favour.";
    return `${ratio(plain.value)} times the plain loops (95 % interval ${from(plain)}), ` +
        `${ratio(yardstick.value)} times the yardstick (${from(yardstick)}): ` +
        `${percent(speed.share)} of the points.` + (speed.settled === false ? noisy : "");
}

/// Speed relative to the plain loops, as dots on a logarithmic axis, with the confidence interval of yours.
function speedDots(speed, x, left, right) {
    const name = (text, y) => svg("text", {x: left - 10, y: y + 15, "text-anchor": "end"}, text);
    const {times_plain: interval, plain_ms: plain} = speed;
    const rows = [
        {label: "yours", ms: speed.yours_ms, times: interval?.value, look: "yours"},
        {label: "plain loops", ms: plain, times: plain / plain, look: "other"},
        {label: "yardstick", ms: speed.yardstick_ms, times: plain / speed.yardstick_ms, look: "other"},
    ];
    return rows.map(({label, ms, times, look}, k) => {
        const y = 6 + 34 * k;
        if (!isPositive(times))
            return [name(label, y), svg("text", {x: left + 6, y: y + 15}, "not measured")];
        const isCounted = isPositive(speed.gflop) && isPositive(ms);
        const at = x(times), gflops = isCounted ? `, ${digits(1000 * speed.gflop / ms, 3)} GFLOP/s` : "";
        const whisker = look === "yours" && isPositive(interval?.low) && isPositive(interval?.high);
        const [low, high] = whisker ? [x(interval.low), x(interval.high)] : [at, at];
        const time = `${digits(ms, 3)} ms`, beside = (text) => text.length * characterWidth + 12;
        const text = Math.max(right - high, low - left) > beside(time + gflops) ? time + gflops : time;
        const after = right - high > beside(text);
        return [
            name(label, y),
            svg("line", {class: "rule", x1: left, x2: right, y1: y + 11, y2: y + 11}),
            whisker && svg("path", {class: "whisker", d: `M${low} ${y + 6}v10m0-5H${high}m0-5v10`}),
            svg("circle", {class: `measure ${look}`, cx: at, cy: y + 11, r: 6}),
            svg("text", {class: "beside-dot", x: after ? high + 11 : low - 11, y: y + 15, "text-anchor": after ? "start" : "end"}, text),
        ];
    });
}

/// The rubric's scale, the share of the points over speed, with yours on it.
function pointsScale(speed, x, top, bottom, domain) {
    const steps = listOf(speed.scale).filter((step) => isPositive(step.times_plain) && isNumber(step.share));
    if (steps.length === 0) return null;
    const y = linearScale([0, 1], [bottom, top]), yours = speed.times_plain?.value;
    const inside = (times) => x(clamp(times, ...domain));
    // Below the first step the share is proportional to the speed: a curve on a logarithmic axis.
    const [first] = steps, below = first.times_plain / domain[0];
    const slow = Array.from({length: 8}, (_, k) => domain[0] * below ** (k / 8));
    const line = [
        ...slow.map((times) => ({times, share: first.share * times / first.times_plain})),
        ...steps.map((step) => ({times: step.times_plain, share: step.share})),
        {times: domain[1], share: steps.at(-1).share},
    ].map(({times, share}) => `${inside(times).toFixed(1)} ${y(share).toFixed(1)}`);
    const hasRoom = isPositive(yours) && x(domain[1]) - inside(yours) > 60;
    return svg("g", {class: "points-scale"},
        [0, 0.5, 1].map((share) => [
            svg("line", {class: "rule", x1: x(domain[0]), x2: x(domain[1]), y1: y(share), y2: y(share)}),
            svg("text", {x: x(domain[0]) - 10, y: y(share) + 4, "text-anchor": "end"}, percent(share)),
        ]),
        svg("path", {class: "scale-line", d: `M${line.join("L")}`}),
        steps.map(
            (step) => svg("circle", {class: "step", cx: inside(step.times_plain), cy: y(step.share), r: 3},
                svg("title", {},
                    `${digits(step.times_plain, 3)} times the plain loops: ${percent(step.share)}`))),
        isPositive(yours) && isNumber(speed.share) && [
            svg("path", {class: "yours-line", d: `M${inside(yours)} ${bottom}V${y(speed.share)}`}),
            svg("circle", {class: "yours", cx: inside(yours), cy: y(speed.share), r: 5}),
            svg("text", {
                class: "strong", "text-anchor": hasRoom ? "start" : "end",
                x: inside(yours) + (hasRoom ? 9 : -9), y: y(speed.share) + (speed.share > 0.85 ? 16 : -7),
            }, percent(speed.share)),
        ]);
}

function speedChart(speed) {
    const width = chartWidth(640), left = 84, right = width - 16, scaleTop = 128, bottom = 206;
    const reached = [
        speed.times_plain?.low, speed.times_plain?.high, 1, speed.plain_ms / speed.yardstick_ms,
        ...listOf(speed.scale).map((step) => step.times_plain)
    ].filter(isPositive);
    const domain = [Math.min(...reached) / 2, Math.max(...reached) * 1.25];
    const x = logScale(domain, [left, right]);
    const label = "times the plain loops" + (width > 400 ? " (logarithmic scale; to the right is faster)" : " (logarithmic)");
    return el("figure", {class: "speed"},
        el("figcaption", {}, el("b", {}, "Speed"), `, one call at ${speed.sizes ?? "?"}, `,
            `${plural(speed.threads ?? 1, "thread")}; `,
            `${plural(speed.workers ?? 0, "fresh process")}, measured in turn`),
        el("div", {class: "scroll"},
            drawing(width, bottom + 40, speedInWords(speed),
                axisBelow(x, domain, {top: 0, bottom, label, most: width > 500 ? 9 : 5}),
                svg("text", {class: "letter", x: left, y: scaleTop - 8}, "share of the points"),
                speedDots(speed, x, left, width), pointsScale(speed, x, scaleTop, bottom, domain))),
        el("p", {}, speedInWords(speed)),
        speed.build?.command && el("p", {class: "build"},
            `Your code, the plain loops and the yardstick all use the vector unit ${speed.build.vector_unit}. `,
            "Yours was compiled with ", el("code", {}, speed.build.command), `. It may use: ${speed.build.allowed}`),
        speed.hint && el("p", {class: "hint"}, el("b", {}, "Try: "), speed.hint));
}
