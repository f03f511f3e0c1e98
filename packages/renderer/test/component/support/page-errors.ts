/** Messages that some tests cause: the app logs failed calls, and Chromium reports layouts that take two passes. */
const EXPECTED = /^Parley: .+ failed\.|^Error: ResizeObserver loop completed/;

let errors: string[] = [];
let isWatching = false;

/** Records what the page logs as an error or a warning. Vitest records what it throws. */
export function watchPageErrors(): void {
  if (isWatching) return;
  isWatching = true;
  for (const level of ['error', 'warn'] as const) {
    const { [level]: log } = console;
    console[level] = (...args: unknown[]) => {
      if (!EXPECTED.test(String(args[0]))) {
        errors.push(`console: ${args.map(String).join(' ')}`);
        log(...args);
      }
    };
  }
}

/** Adds an error that another part of the support has found. */
export function addPageError(error: string): void {
  errors.push(error);
}

/** Returns the errors since the last call. */
export function takePageErrors(): string[] {
  const taken = errors;
  errors = [];
  return taken;
}
