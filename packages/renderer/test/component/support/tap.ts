import { commands, type Locator } from 'vitest/browser';

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** Taps an element by its selector. */
    tap: (selector: string) => Promise<void>;
  }
}

/** Taps an element as a finger does. Only for tests in files that end in `.touch.test.ts`. */
export function tap(locator: Locator): Promise<void> {
  return commands.tap(locator.selector);
}
