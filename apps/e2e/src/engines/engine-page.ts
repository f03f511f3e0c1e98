/** An element as a user would describe it: what it is, and the name it has for assistive technology. */
export interface Target {
  /** CSS selector. */
  readonly selector: string;
  /** Accessible name or visible text. Without it, any match will do. */
  readonly name?: string;
  /** Accept an element whose name only contains `name`. */
  readonly isPartial?: boolean;
  /** Take the last match in the document instead of the first. */
  readonly isLast?: boolean;
}

/** The keys that the journeys press. */
export type Key = 'Enter' | 'Tab' | 'Escape' | 'ArrowUp' | 'ArrowDown';

/** A tab in a browser of its own (cookies, storage), driven through WebDriver or WebDriver BiDi. */
export interface EnginePage {
  /** Opens an absolute URL and resolves once the document has loaded. */
  goto: (url: string) => Promise<void>;
  /** Runs a function in the page and resolves with its JSON-like result, awaiting a promise. */
  evaluate: <A, T>(run: (argument: A) => T | Promise<T>, argument: A) => Promise<T>;
  /** Whether an element is there and visible. */
  isVisible: (target: Target) => Promise<boolean>;
  /** Clicks with the mouse. Throws when the element is missing, hidden or covered. */
  click: (target: Target) => Promise<void>;
  /** Types into whatever has the focus. */
  type: (text: string) => Promise<void>;
  press: (key: Key) => Promise<void>;
  /** Gives a file from the disk to a file input, which may be hidden. */
  chooseFile: (selector: string, path: string) => Promise<void>;
  /** A PNG of the window. */
  screenshot: () => Promise<Buffer>;
  /** Errors that scripts of the page did not catch, where the engine reports them. */
  readonly errors: readonly string[];
}

/** A browser engine that is installed on this machine. */
export interface Engine {
  readonly name: string;
  /** Opens a window of 1280 × 900 with a fake microphone that is allowed without asking. */
  readonly open: () => Promise<EnginePage>;
  readonly close: () => Promise<void>;
}

/** Where an engine can be launched, or why it cannot. */
export interface EngineSupport {
  readonly name: string;
  /** The reason why the tests are skipped; undefined if the engine is installed. */
  readonly missing: () => string | undefined;
  readonly launch: () => Promise<Engine>;
}

/** Finds the visible element of a target. Runs in the page, so it may use nothing from outside. */
export function findInPage(target: Target): Element | null {
  const nameOf = (element: Element): string => {
    const label = element.getAttribute('aria-label');
    if (label !== null) return label;
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
    if (labels.length > 0) return labels.map((each) => each.textContent).join(' ');
    return element instanceof HTMLElement ? element.innerText : (element.textContent ?? '');
  };
  const hasName = (element: Element) => {
    if (target.name === undefined) return true;
    const name = nameOf(element).trim();
    return target.isPartial === true ? name.includes(target.name) : name === target.name;
  };
  const isVisible = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible';
  };
  const found = [...document.querySelectorAll(target.selector)].filter(
    (element) => isVisible(element) && hasName(element),
  );
  return found.at(target.isLast === true ? -1 : 0) ?? null;
}
