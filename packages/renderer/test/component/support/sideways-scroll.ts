/** Elements that no one reads or operates may reach beyond the window. */
const CONTENT = 'a, button, input, textarea, label, h1, h2, h3, p, time';

/** Returns what scrolls sideways or reaches outside the window, as the beginnings of its elements. */
export function findSidewaysScroll(): string[] {
  const elements = document.querySelectorAll<HTMLElement>('body *, html');
  return Array.from(elements)
    .filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      const scrolls = ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
      const isOutside = width > 1 && (left < -1 || right > innerWidth + 1);
      const isTooWide = element.scrollWidth > element.clientWidth + 1;
      const canScroll = scrolls || element === document.documentElement;
      return (canScroll && isTooWide) || (element.matches(CONTENT) && isOutside);
    })
    .map(({ outerHTML }) => outerHTML.slice(0, 120));
}
