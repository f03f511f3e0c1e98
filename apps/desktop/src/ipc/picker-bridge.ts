import type { Language } from '@parley/texts';

/** The result of checking a server's address. */
export type CheckResult =
  | { kind: 'found'; origin: string; version: string }
  /** Found, but without encryption, so the user has to consent. */
  | { kind: 'found-plain'; origin: string; version: string }
  | { kind: 'certificate'; origin: string; fingerprint: string }
  | { kind: 'invalid' }
  | { kind: 'no-such-host'; host: string }
  | { kind: 'no-connection'; host: string }
  | { kind: 'not-parley'; host: string }
  /** The host redirects to another one, which may have the server. */
  | { kind: 'redirect'; host: string; to: string }
  | { kind: 'server-too-old'; host: string }
  | { kind: 'server-too-new'; host: string };

/** A server to add, as the last check found it. */
export interface ServerChoice {
  origin: string;
  /** Fingerprint of the certificate that the user trusts. */
  pinned?: string;
}

/** The initial values of the server picker. */
export interface PickerStart {
  language: Language;
  /** Origins of the known servers. */
  servers: string[];
  active?: string;
  /** An address to check as soon as the window opens. */
  address?: string;
}

/** The API of the server picker, as `window.parleyPicker`. */
export interface PickerBridge {
  readonly start: PickerStart;
  /**
   * Checks an address that the user typed, or an origin that a check has found. The check trusts the certificate with
   * the fingerprint `pinned`.
   */
  check: (address: string, pinned?: string) => Promise<CheckResult>;
  /** Saves a server, opens it and closes this window. Resolves to false if no check has found it. */
  add: (choice: ServerChoice) => Promise<boolean>;
  open: (origin: string) => void;
  /** Removes a server and its data. Resolves to the origins of the remaining servers. */
  remove: (origin: string) => Promise<string[]>;
}

/** The channels between the server picker and the main process. */
export const PICKER_CHANNELS = {
  start: 'parley-picker:start',
  check: 'parley-picker:check',
  add: 'parley-picker:add',
  open: 'parley-picker:open',
  remove: 'parley-picker:remove',
} as const;
