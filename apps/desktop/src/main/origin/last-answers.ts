import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What the server said last, for a start without it. */
export interface LastAnswers {
  /** Whether the answer to this path is worth keeping. */
  covers: (target: URL) => boolean;
  recall: (path: string) => string | undefined;
  /** Keeps an answer, unless everything was forgotten since it was asked for: `era` as it was then. */
  remember: (path: string, body: string, era: number) => void;
  /** Nobody is signed in any more: nothing of them stays. A new era begins. */
  forget: () => void;
  readonly era: () => number;
  /** Writes what is remembered. */
  save: () => Promise<void>;
}

/** Encrypts with a key of the operating system's. */
export interface Vault {
  isAvailable: () => Promise<boolean>;
  encrypt: (text: string) => Promise<Buffer>;
  decrypt: (sealed: Buffer) => Promise<string>;
}

const COVERED = [
  /^\/api\/config$/,
  /^\/api\/users\/current$/,
  /^\/api\/chatrooms\/chats$/,
  /^\/api\/chatrooms\/chats\/[\w-]+$/,
];
/** The rooms that were open most recently, and the three others. */
const MAX_ANSWERS = 53;
/** A page of the longest messages fits; anything larger is no answer to keep. Characters. */
const MAX_LENGTH = 2_000_000;

/**
 * Keeps the newest answers of a few reading calls. On the disk they are encrypted; a system that has no
 * key for that keeps them only while the app runs.
 */
export async function openLastAnswers(file: string, vault: Vault): Promise<LastAnswers> {
  const answers = await read(file, vault);
  let writing: Promise<void> = Promise.resolve();
  let era = 0;

  async function seal(): Promise<void> {
    if (answers.size === 0 || !(await vault.isAvailable())) return;
    await write(file, await vault.encrypt(JSON.stringify([...answers])));
  }

  return {
    covers: ({ pathname, search }) =>
      search === '' && COVERED.some((pattern) => pattern.test(pathname)),
    recall: (path) => answers.get(path),
    era: () => era,
    remember: (path, body, asked) => {
      if (asked !== era || body.length > MAX_LENGTH) return;
      answers.delete(path);
      answers.set(path, body);
      const oldest = [...answers.keys()].find((known) => known.startsWith('/api/chatrooms/chats/'));
      if (answers.size > MAX_ANSWERS && oldest !== undefined) answers.delete(oldest);
    },
    forget: () => {
      era += 1;
      answers.clear();
      writing = writing.then(() => rm(file, { force: true })).catch(() => undefined);
    },
    save: () => {
      // Losing this copy costs a person without network their last view, nothing else.
      writing = writing.then(seal).catch(() => undefined);
      return writing;
    },
  };
}

async function read(file: string, vault: Vault): Promise<Map<string, string>> {
  try {
    const sealed = await readFile(file);
    const entries: unknown = JSON.parse(await vault.decrypt(sealed));
    if (Array.isArray(entries) && entries.every(isEntry)) return new Map(entries);
  } catch {
    // Nothing was kept, or the key is another one now.
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
