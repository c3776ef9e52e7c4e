/* Tabs: parts of the page of which one is open. On paper all are; a search in the page opens the part that it finds. */
const Tabs = (() => {
  "use strict";

  const { html } = Svg;

  class Bar {
    #tabs = new Map();

    constructor(element, parts, onOpen) {
      this.element = element;
      this.parts = new Map([...parts].map((part) => [part.id.replace("part-", ""), part]));
      this.onOpen = onOpen;
      this.active = null;
      element.addEventListener("keydown", (event) => this.#press(event));
    }

    /** Make a tab for each part that has content, and open the first one. */
    fill(hasContent, first) {
      for (const [name, part] of this.parts) {
        if (!hasContent(name)) {
          part.classList.add("absent");
          this.parts.delete(name);
          continue;
        }
        const { title } = part.dataset;
        const tab = html("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": part.id, onclick: () => this.open(name) }, title);
        this.#tabs.set(name, tab);
        part.prepend(html("h2", { class: "part-title" }, title));
        part.setAttribute("role", "tabpanel");
        part.setAttribute("aria-labelledby", tab.id);
        part.addEventListener("beforematch", () => this.open(name));
      }
      this.element.replaceChildren(...this.#tabs.values());
      this.open(this.#tabs.has(first) ? first : this.#tabs.keys().next().value);
    }

    open(name) {
      this.active = name;
      for (const [other, tab] of this.#tabs) {
        const isActive = other === name;
        tab.setAttribute("aria-selected", String(isActive));
        tab.tabIndex = isActive ? 0 : -1;
        if (isActive) this.parts.get(other).removeAttribute("hidden");
        else this.parts.get(other).setAttribute("hidden", "until-found");
      }
      this.onOpen(name);
    }

    #press(event) {
      const names = [...this.#tabs.keys()];
      const place = names.indexOf(this.active);
      const places = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: names.length - 1 };
      if (!(event.key in places)) return;
      event.preventDefault();
      const name = names[(places[event.key] + names.length) % names.length];
      this.open(name);
      this.#tabs.get(name).focus();
    }
  }

  return { Bar };
})();
