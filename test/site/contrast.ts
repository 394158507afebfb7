/**
 * The text with the least contrast in the elements of a selector, as WCAG 2.2 defines the contrast ratio. It runs in the browser,
 * so it uses nothing from outside.
 */
export function palestText(selector: string): { contrast: number; text: string; color: string } | undefined {
  type Color = readonly number[];

  const found = Array.from(document.querySelectorAll(selector))
    .flatMap(textsOf)
    .map((element) => {
      const { color: ofText, fill } = getComputedStyle(element);
      const color = element instanceof SVGElement ? fill : ofText;
      const background = backgroundOf(element);
      const ratio = contrast(over(parse(color), background), background);
      return { contrast: ratio, text: element.textContent.slice(0, 40), color };
    });
  return found.sort((one, other) => one.contrast - other.contrast)[0];

  /** The elements with text of their own. */
  function textsOf(root: Element): Element[] {
    return [root, ...Array.from(root.querySelectorAll("*"))].filter((element) =>
      Array.from(element.childNodes).some(
        ({ nodeType, textContent }) => nodeType === 3 && textContent?.trim(),
      ),
    );
  }

  function backgroundOf(element: Element | null): Color {
    if (!element) return [255, 255, 255, 1];
    if (element instanceof SVGElement) return parse(getComputedStyle(shapeUnder(element)).fill);
    const color = parse(getComputedStyle(element).backgroundColor);
    return color[3] === 1 ? color : over(color, backgroundOf(element.parentElement));
  }

  /** The box on which a picture's text stands. */
  function shapeUnder(element: Element): Element {
    const { left, top, width, height } = element.getBoundingClientRect();
    const under = document.elementsFromPoint(left + width / 2, top + height / 2);
    return under.find(({ tagName }) => tagName === "rect") ?? document.documentElement;
  }

  /** Of `rgb(1, 2, 3)` and `rgba(1, 2, 3, 0.5)`. */
  function parse(color: string): Color {
    const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
    return [red, green, blue, alpha];
  }

  function over(color: Color, background: Color): Color {
    const alpha = color[3] ?? 1;
    const mixed = [0, 1, 2].map((part) => alpha * (color[part] ?? 0) + (1 - alpha) * (background[part] ?? 0));
    return [...mixed, 1];
  }

  function contrast(one: Color, other: Color): number {
    const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  }

  function luminance(color: Color): number {
    const [red = 0, green = 0, blue = 0] = color.slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }
}
