import { locators, page, type Locator } from 'vitest/browser';

declare module 'vitest/browser' {
  interface LocatorSelectors {
    /** Finds elements by a CSS selector, for what has no role, label or text. */
    getByCss: (selector: string) => Locator;
  }
}

/** Adds the locators of these tests to those of Vitest. */
export function addLocators(): void {
  locators.extend({ getByCss: (selector: string) => selector });
}

/** Finds the row of a chat in the chat list by the partner's name. */
export function chatRowOf(partner: string): Locator {
  return page.getByCss('[data-chat]').filter({ hasText: partner });
}

/** Finds a toast by its text. */
export function toastWith(text: string): Locator {
  return page.getByCss('.Toastify__toast').filter({ hasText: text });
}

/** Finds a message of the open chatroom by its text. */
export function messageWith(text: string): Locator {
  return page.getByCss('[data-message]').filter({ hasText: text });
}

/** Finds the text box for messages, in any language. */
export function messageBox(): Locator {
  return page.getByRole('textbox', { name: /^(?:Message|Nachricht)$/ });
}
