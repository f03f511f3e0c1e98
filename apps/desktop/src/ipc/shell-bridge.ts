import type { Language } from '@parley/contract';

/** The result of checking a server's address. */
export type CheckResult =
  | { kind: 'found'; origin: string; version: string }
  /** Found without encryption: needs the user's consent. */
  | { kind: 'found-plain'; origin: string; version: string }
  | { kind: 'certificate'; origin: string; fingerprint: string }
  | { kind: 'invalid' }
  | { kind: 'no-such-host'; host: string }
  | { kind: 'no-connection'; host: string }
  | { kind: 'not-parley'; host: string }
  | { kind: 'server-too-old'; host: string }
  | { kind: 'server-too-new'; host: string };

/** A server to add, as found by the last check. */
export interface ServerChoice {
  origin: string;
  /** Fingerprint that the user has seen and trusts. */
  pinned?: string;
}

/** The start values of one of the app's own windows. */
export interface ShellStart {
  language: Language;
  /** Origins of the servers that are known. */
  servers: string[];
  active?: string;
  /** An address to look up at once. */
  address?: string;
}

/** What the app's own windows get as `window.parleyShell`. */
export interface ShellBridge {
  readonly start: ShellStart;
  /** Checks a typed address. `pinned` trusts that certificate during the check. */
  check: (address: string, pinned?: string) => Promise<CheckResult>;
  /** Saves a server, opens it and closes this window. Resolves to false if the last check differs. */
  add: (choice: ServerChoice) => Promise<boolean>;
  open: (origin: string) => void;
  /** Removes a server with its data, and resolves to the remaining ones. */
  remove: (origin: string) => Promise<string[]>;
}
