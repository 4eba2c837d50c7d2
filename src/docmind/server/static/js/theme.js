// Light or dark: as the system has it, until a person says otherwise.

const KEPT = "docmind-theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const page = document.documentElement;

export const isDark = () => (page.dataset.theme ? page.dataset.theme === "dark" : system.matches);

/** Let `button` change the theme; `changed` is called whenever it is another. */
export function offerThemes(button, changed) {
  const kept = localStorage.getItem(KEPT);
  if (kept) page.dataset.theme = kept;
  const show = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    changed();
  };
  button.addEventListener("click", () => {
    page.dataset.theme = isDark() ? "light" : "dark";
    localStorage.setItem(KEPT, page.dataset.theme);
    show();
  });
  system.addEventListener("change", show);
  show();
}
