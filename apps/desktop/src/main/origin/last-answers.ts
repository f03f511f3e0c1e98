import { findEndpoint, type EndpointName } from '@parley/contract';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Vault } from '../storage-key/storage-key.ts';

/** The server's latest responses, for a start without a connection. */
export interface LastAnswers {
  /** Whether the response to this path is kept. */
  covers: (target: URL) => boolean;
  /**
   * Resolves to the kept response. Waits until the file has been read, which takes as long as a locked
   * keyring stays locked.
   */
  recall: (path: string) => Promise<string | undefined>;
  /** Keeps a response, unless everything was forgotten since its request: `era` as it was then. */
  remember: (path: string, body: string, era: number) => void;
  /** Erases everything, in memory and on the disk. A new era begins. */
  forget: () => void;
  readonly era: () => number;
  /** Writes everything to the disk. May wait for a locked keyring, never rejects. */
  save: () => Promise<void>;
}

const COVERED = new Set<EndpointName | undefined>([
  'getConfig',
  'getCurrentUser',
  'listChats',
  'getChatroom',
]);
/** The rooms that were opened most recently, and the three other paths. */
const MAX_ANSWERS = 53;
/** Characters. A page of the longest messages fits; anything larger is not kept. */
const MAX_LENGTH = 2_000_000;

/**
 * Keeps the latest responses of a few reading calls. On the disk they are encrypted; on a system without a
 * key for that, they are kept only while the app runs. Returns at once: no window waits for the key.
 */
export function openLastAnswers(file: string, vault: Vault): LastAnswers {
  let answers = new Map<string, string>();
  let era = 0;
  let sealing: Promise<void> = Promise.resolve();
  let filing: Promise<void> = Promise.resolve();

  const reading = restore();

  async function restore(): Promise<void> {
    const saved = await read(file, vault);
    // Everything that came in since is newer.
    if (era === 0) answers = new Map([...saved, ...answers]);
  }

  async function seal(): Promise<void> {
    await reading;
    if (answers.size === 0) return;
    const sealedIn = era;
    const sealed = await vault.encrypt(JSON.stringify([...answers]));
    await changeFile(async () => {
      if (sealedIn === era) await write(file, sealed);
    });
  }

  /** Runs one change of the file at a time. None waits for the keyring: `forget` must not wait for it. */
  function changeFile(change: () => Promise<void>): Promise<void> {
    // Losing this copy costs the user the last view of a start without a connection, nothing else.
    filing = filing.then(change).catch(() => undefined);
    return filing;
  }

  return {
    covers: ({ pathname, search }) => search === '' && COVERED.has(findEndpoint('GET', pathname)),
    recall: async (path) => {
      await reading;
      return answers.get(path);
    },
    era: () => era,
    remember: (path, body, asked) => {
      if (asked !== era || body.length > MAX_LENGTH) return;
      answers.delete(path);
      answers.set(path, body);
      const oldest = [...answers.keys()].find(
        (path) => findEndpoint('GET', path) === 'getChatroom',
      );
      if (answers.size > MAX_ANSWERS && oldest !== undefined) answers.delete(oldest);
    },
    forget: () => {
      era += 1;
      answers.clear();
      void changeFile(() => rm(file, { force: true }));
    },
    save: () => {
      sealing = sealing
        .then(seal)
        .then(() => filing)
        .catch(() => undefined);
      return sealing;
    },
  };
}

async function read(file: string, vault: Vault): Promise<Map<string, string>> {
  try {
    const sealed = await readFile(file);
    const entries: unknown = JSON.parse((await vault.decrypt(sealed))?.text ?? '');
    if (Array.isArray(entries) && entries.every(isEntry)) return new Map(entries);
  } catch {
    // Nothing was kept, or the key has changed.
  }
  return new Map();
}

function isEntry(entry: unknown): entry is [string, string] {
  return (
    Array.isArray(entry) &&
    entry.length === 2 &&
    entry.every((part: unknown) => typeof part === 'string')
  );
}

async function write(file: string, sealed: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, sealed, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
