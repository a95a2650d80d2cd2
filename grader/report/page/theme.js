// The light and the dark theme.

function setUpTheme(button) {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const requested = /^#(light|dark)$/.exec(location.hash)?.[1];
    // A page opened from a file may have no storage; then the choice lasts until the page is closed.
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
            // Only the choice is lost.
        }
    };
    let chosen = requested ?? remembered();
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
