// Shows the numbers of a cell that is pointed at, touched, or reached with the arrow keys.

/// Makes `box` focusable with the tab key. Its cells have data-cell, an index through all panels, row by row;
/// `show(cell)` shows one cell. Page Up and Page Down move between panels.
function makeNavigable(box, {panels = 1, rows, columns, start = 0, label, show}) {
    const count = panels * rows * columns;
    let at = start;
    const go = (cell) => {
        if (!(cell >= 0 && cell < count)) return;
        at = cell;
        show(cell);
    };
    const steps = {
        ArrowLeft: () => at % columns > 0 ? at - 1 : at,
        ArrowRight: () => at % columns < columns - 1 ? at + 1 : at,
        ArrowUp: () => Math.floor(at / columns) % rows > 0 ? at - columns : at,
        ArrowDown: () => Math.floor(at / columns) % rows < rows - 1 ? at + columns : at,
        Home: () => at - at % columns,
        End: () => at - at % columns + columns - 1,
        PageUp: () => at - rows * columns,
        PageDown: () => at + rows * columns,
    };
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", `${label} The arrow keys go from cell to cell.`);
    box.classList.add("navigable");
    box.addEventListener("keydown", (event) => {
        const step = steps[event.key];
        if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        go(step());
    });
    const point = (event) => {
        const cell = event.target.closest?.("[data-cell]");
        if (cell) go(Number(cell.dataset.cell));
    };
    box.addEventListener("pointerover", point);
    box.addEventListener("click", point);
    box.addEventListener("focus", () => go(at));
    go(start);
}

/// The text about the current cell. Screen readers read it when it changes.
function readout() {
    return el("output", {class: "readout", "aria-live": "polite"});
}

/// The frame around the current cell.
function cursor() {
    return svg("rect", {class: "cursor"});
}

function moveCursor(frame, x, y, width, height) {
    for (const [name, value] of Object.entries({x, y, width, height})) frame.setAttribute(name, value);
}
