// What the header tells while the page scrolls, and the switch that hides what passed.

/// Shows the assignment and the function at the top of the window.
function setUpPlace(box) {
    const sections = [...document.querySelectorAll("section.assignment")];
    const parts = [...document.querySelectorAll("details.part")];
    const last = (elements, line) => elements.filter((each) => each.getBoundingClientRect().top <= line).at(-1);
    const title = (each) => each?.querySelector("h2, h3")?.textContent.trim() ?? "";
    const show = () => {
        const line = document.querySelector("header").offsetHeight + 24, section = last(sections, line);
        const part = section && last(parts.filter((each) => section.contains(each)), line);
        box.textContent = [title(section), title(part)].filter(Boolean).join(" \u203a ");
    };
    addEventListener("scroll", show, {passive: true});
    addEventListener("resize", show);
    show();
}

/// A button that hides what passed and what is not begun, and shows it again.
function setUpFailuresOnly(button) {
    const root = document.documentElement;
    button.hidden = !document.querySelector("details.part.bad") || !document.querySelector("details.part:not(.bad)");
    const name = () => {
        button.textContent = root.dataset.only === "failures" ? "Show all" : "Failures only";
        button.setAttribute("aria-pressed", String(root.dataset.only === "failures"));
    };
    button.addEventListener("click", () => {
        if (root.dataset.only) delete root.dataset.only;
        else root.dataset.only = "failures";
        name();
    });
    name();
}
