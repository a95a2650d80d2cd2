// Light and dark, everything open at once, and what has to be open for a link or for paper.

function setUpTheme(button) {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const wished = /^#(light|dark)$/.exec(location.hash)?.[1];
    // A page from a file may have no storage: then the choice lasts as long as the page.
    const remembered = () => {
        try {
            return localStorage.getItem("attention-lab-theme");
        } catch {
            return null;
        }
    };
    const remember = (theme) => {
        try {
            localStorage.setItem("attention-lab-theme", theme);
        } catch {
            // Nothing is lost but the choice.
        }
    };
    let chosen = wished ?? remembered();
    const show = () => {
        const dark = chosen ? chosen === "dark" : system.matches;
        document.documentElement.dataset.theme = dark ? "dark" : "light";
        button.textContent = dark ? "Light colours" : "Dark colours";
    };
    button.addEventListener("click", () => {
        chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
        remember(chosen);
        show();
    });
    system.addEventListener("change", show);
    show();
}

function setUpOpening(button) {
    const all = () => [...document.querySelectorAll("details:not(.numbers-as-table)")];
    const name = () => {
        button.hidden = all().length === 0;
        button.textContent = all().every((each) => each.open) ? "Close all" : "Open all";
    };
    button.addEventListener("click", () => {
        const open = !all().every((each) => each.open);
        for (const each of all()) each.open = open;
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
        for (const each of closed) each.open = true;
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
            if (each instanceof HTMLDetailsElement) each.open = true;
        target.scrollIntoView();
    };
    addEventListener("hashchange", follow);
    follow();
}
