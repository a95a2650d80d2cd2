// Light and dark.

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
