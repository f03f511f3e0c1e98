/** An element by its selector and its accessible name. */
export interface ElementTarget {
  /** CSS selector. */
  readonly selector: string;
  /** Accessible name or visible text. Without it, any name matches. */
  readonly name?: string;
  /** Whether the name only has to contain `name`. */
  readonly isPartial?: boolean;
  /** Whether to use the last match in the document instead of the first. */
  readonly isLast?: boolean;
}

/** The keys that the journeys press. */
export type Key = 'Enter' | 'Tab' | 'Escape' | 'ArrowUp' | 'ArrowDown';

/** A tab in its own browser (cookies, storage), driven over WebDriver or WebDriver BiDi. */
export interface EnginePage {
  /** Opens an absolute URL and resolves once the document has loaded. */
  goto: (url: string) => Promise<void>;
  /** Runs a function in the page and resolves with its JSON-like result, awaiting a promise. */
  evaluate: <A, T>(run: (argument: A) => T | Promise<T>, argument: A) => Promise<T>;
  /** Resolves to whether an element exists and is visible. */
  isVisible: (target: ElementTarget) => Promise<boolean>;
  /** Clicks with the mouse. Rejects if the element is missing, hidden or covered. */
  click: (target: ElementTarget) => Promise<void>;
  /** Types into the focused element. */
  type: (text: string) => Promise<void>;
  press: (key: Key) => Promise<void>;
  /** Chooses a file for a file input, which may be hidden. */
  chooseFile: (selector: string, path: string) => Promise<void>;
  /** Returns a PNG of the window. */
  screenshot: () => Promise<Buffer>;
  /** Uncaught errors of the page, if the engine reports them. */
  readonly errors: readonly string[];
}

/** A browser engine that is installed on this machine. */
export interface Engine {
  readonly name: string;
  /** Opens a window of 1280 × 900 with a fake microphone, whose use is permitted. */
  readonly open: () => Promise<EnginePage>;
  readonly close: () => Promise<void>;
}

/** Launches an engine, or explains why it cannot. */
export interface EngineSupport {
  readonly name: string;
  /** Returns why the engine cannot be used, or undefined if it is installed. */
  readonly missing: () => string | undefined;
  readonly launch: () => Promise<Engine>;
}

/** Finds the visible element of a target. Runs in the page, so it must not use variables of this module. */
export function findInPage(target: ElementTarget): Element | null {
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
