// Sections that can be opened: by hand, all at once, by a link, and for printing.

const pendingDrawings = new Map();

/// Leaves a box empty until `details` is opened, because a report may have too many pictures to draw at once.
function drawWhenOpened(details, box, draw) {
    pendingDrawings.set(details, () => box.append(...draw()));
    details.addEventListener("toggle", () => details.open && openDetails(details));
    if (details.open) openDetails(details);
}

function openDetails(details) {
    details.open = true;
    pendingDrawings.get(details)?.();
    pendingDrawings.delete(details);
}

function setUpOpenAllButton(button) {
    const all = () => [...document.querySelectorAll("details:not(.numbers-as-table)")];
    const name = () => {
        button.hidden = all().length === 0;
        button.textContent = all().every((each) => each.open) ? "Close all" : "Open all";
    };
    button.addEventListener("click", () => {
        const open = !all().every((each) => each.open);
        for (const each of all()) open ? openDetails(each) : each.open = false;
        name();
    });
    document.addEventListener("toggle", name, true);
    name();
}

/// Opens everything while the page is printed.
function setUpPrinting() {
    let closed = [];
    addEventListener("beforeprint", () => {
        closed = [...document.querySelectorAll("details:not([open], .numbers-as-table)")];
        closed.forEach(openDetails);
    });
    addEventListener("afterprint", () => {
        for (const each of closed) each.open = false;
    });
}

/// A link into a closed section opens the section.
function setUpLinks() {
    const wanted = () => {
        try {
            return decodeURIComponent(location.hash.slice(1));
        } catch {
            // not a valid link of this page
            return "";
        }
    };
    const follow = () => {
        const target = document.getElementById(wanted());
        if (!target) return;
        for (let each = target; each; each = each.parentElement)
            if (each instanceof HTMLDetailsElement) openDetails(each);
        target.scrollIntoView();
    };
    addEventListener("hashchange", follow);
    follow();
}
