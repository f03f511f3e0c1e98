/** Creates an SVG of 10 by 10 pixels. */
export function svgOf(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10" viewBox="0 0 10 10">${content}</svg>`;
}

/**
 * Creates an SVG of little more than 1 KB that draws a million shapes: ten references on each of
 * six levels.
 */
export function nestedUses(uses = 10, levels = 6): string {
  const groups = Array.from(
    { length: levels },
    (_, i) => `<g id="g${i + 1}">${`<use href="#g${i}"/>`.repeat(uses)}</g>`,
  );
  return svgOf(
    `<defs><rect id="g0" width="1" height="1"/>${groups.join('')}</defs><use href="#g${levels}"/>`,
  );
}
