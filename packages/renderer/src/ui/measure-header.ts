/** Custom property with the bottom edge of the screen's header in pixels. Toasts.css positions toasts below it. */
const HEADER_BOTTOM = '--header-bottom';

/** Measures the headers of the screen, and what else toasts must not cover above it. */
export function measureHeader(): void {
  const bottoms = Array.from(
    document.querySelectorAll('[data-screen-header]'),
    (header) => header.getBoundingClientRect().bottom,
  );
  document.documentElement.style.setProperty(HEADER_BOTTOM, `${Math.max(0, ...bottoms)}px`);
}
