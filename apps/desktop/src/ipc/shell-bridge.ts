import type { Language } from '@parley/contract';

/** A server's address that was looked at. */
export type CheckResult =
  | { kind: 'found'; origin: string; version: string }
  /** There, but only without encryption: needs the person's word. */
  | { kind: 'found-plain'; origin: string; version: string }
  | { kind: 'certificate'; origin: string; fingerprint: string }
  | { kind: 'invalid' }
  | { kind: 'no-such-host'; host: string }
  | { kind: 'no-connection'; host: string }
  | { kind: 'not-parley'; host: string }
  | { kind: 'server-too-old'; host: string }
  | { kind: 'server-too-new'; host: string };

/** A server to add, as the last check found it. */
export interface ServerChoice {
  origin: string;
  /** Fingerprint that the person saw and trusts. */
  pinned?: string;
}

/** What one of the app's own windows has to know from the start. */
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
  /** Looks at an address as typed; `pinned` trusts that one certificate for the look. */
  check: (address: string, pinned?: string) => Promise<CheckResult>;
  /** Keeps a server and opens it; the window closes. Resolves to false if it is not what was checked. */
  add: (choice: ServerChoice) => Promise<boolean>;
  open: (origin: string) => void;
  /** Forgets a server and everything that is stored of it, and resolves to the ones that are left. */
  remove: (origin: string) => Promise<string[]>;
}
