// What can be opened: by hand, all at once, by a link to something inside, and for paper.

const notDrawn = new Map();

/// Leaves a box empty until `details` is opened: a report may have more pictures than a page shows at ease.
function drawWhenOpened(details, box, draw) {
    notDrawn.set(details, () => box.append(...draw()));
    details.addEventListener("toggle", () => details.open && openUp(details));
    if (details.open) openUp(details);
}

function openUp(details) {
    details.open = true;
    notDrawn.get(details)?.();
    notDrawn.delete(details);
}

function setUpOpening(button) {
    const all = () => [...document.querySelectorAll("details:not(.numbers-as-table)")];
    const name = () => {
        button.hidden = all().length === 0;
        button.textContent = all().every((each) => each.open) ? "Close all" : "Open all";
    };
    button.addEventListener("click", () => {
        const open = !all().every((each) => each.open);
        for (const each of all()) open ? openUp(each) : each.open = false;
        name();
    });
    document.addEventListener("toggle", name, true);
    name();
}

/// Paper cannot be opened: all is, while it is printed.
function setUpPrinting() {
    let closed = [];
    addEventListener("beforeprint", () => {
        closed = [...document.querySelectorAll("details:not([open], .numbers-as-table)")];
        closed.forEach(openUp);
    });
    addEventListener("afterprint", () => {
        for (const each of closed) each.open = false;
    });
}

/// A link to something inside of what is closed opens it.
function setUpLinks() {
    const wanted = () => {
        try {
            return decodeURIComponent(location.hash.slice(1));
        } catch {
            return "";  // no link of this page's
        }
    };
    const follow = () => {
        const target = document.getElementById(wanted());
        if (!target) return;
        for (let each = target; each; each = each.parentElement)
            if (each instanceof HTMLDetailsElement) openUp(each);
        target.scrollIntoView();
    };
    addEventListener("hashchange", follow);
    follow();
}
