/** Elements without markup: every text becomes a text node, every attribute is set by name. */

type Attributes = Record<string, string | boolean | undefined>;

/** Makes an element. An attribute that is `false` or `undefined` is left out, `true` is empty. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/** The picture of a magnifying glass. */
export function magnifier(): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  setAttributes(svg, { viewBox: "0 0 20 20", "aria-hidden": "true", class: "icon" });
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  setAttributes(path, { d: "M8.5 3a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11ZM12.6 12.6 17 17" });
  svg.append(path);
  return svg;
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (typeof value === "string") element.setAttribute(name, value);
  }
}
