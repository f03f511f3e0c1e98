import type { Message } from '@parley/contract';

/** A requested edit or deletion and its outcome. Times are ticks of the ledger's clock. */
interface Attempt {
  readonly content: string;
  readonly start: number;
  /** Time of the outcome; undefined while the server may still process the request. */
  end: number | undefined;
  isDone: boolean;
}

/** Messages of the same lane keep their order, except first messages. */
export type Lane = 'text' | 'image' | 'audio' | 'first';

/** Which messages keep their order: all of a user, those of one load of a page, or none. */
export type OrderScope = 'user' | 'page' | 'none';

/** A message that a user wrote. */
interface Entry {
  readonly username: string;
  /** The original text, or the name of the file. */
  readonly content: string;
  readonly lane: Lane;
  /** The load of a page in which it was written. */
  readonly page: object | undefined;
  /** Whether the server must have stored it, because it was sent and not discarded. */
  isCertain: boolean;
  readonly edits: Attempt[];
  readonly deletions: Attempt[];
}

/** A message, or an outbox entry that becomes one. */
type Written = Pick<Message, 'content' | 'clientId'>;

/** A record of everything that the users write, to check the server's messages against it. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  /** Files, by the `clientId` of their messages. */
  readonly #files = new Map<string, Entry>();
  readonly #drafts = new Map<string, string>();
  #clock = 0;

  /** Records a message. Returns its unique text or file name. */
  write(username: string, lane: Lane, page?: object): string {
    const content = `${username} ${this.#entries.size}`;
    const entry = { username, content, lane, page, isCertain: true, edits: [], deletions: [] };
    this.#entries.set(content, entry);
    return content;
  }

  /** Records the `clientId` of a file's message. */
  nameFile(name: string, clientId: string): void {
    this.#files.set(clientId, this.#entryOf({ content: name, clientId }));
  }

  /** Records that a message may be lost, because it was discarded or could not be stored. */
  setUncertain(written: Written): void {
    this.#entryOf(written).isCertain = false;
  }

  /** Records a draft of a user. Returns its text. */
  draft(username: string): string {
    this.#clock += 1;
    const text = `draft ${this.#clock}`;
    this.#drafts.set(username, text);
    return text;
  }

  /** Returns the user's last draft. */
  draftOf(username: string): string | undefined {
    return this.#drafts.get(username);
  }

  /** Records an edit. Returns the new text. */
  edit(before: Written): { content: string; attempt: Attempt } {
    const { content, edits } = this.#entryOf(before);
    const attempt = this.#attempt(`${content}/${edits.length}`);
    edits.push(attempt);
    return { content: attempt.content, attempt };
  }

  delete(written: Written): Attempt {
    const attempt = this.#attempt('');
    this.#entryOf(written).deletions.push(attempt);
    return attempt;
  }

  end(attempt: Attempt, isDone: boolean): void {
    this.#clock += 1;
    attempt.end = this.#clock;
    attempt.isDone = isDone;
  }

  /** Returns the problems with the messages that are on the server at the end. */
  findProblems(messages: readonly Message[], scopeOf: (username: string) => OrderScope): string[] {
    const problems: string[] = [];
    const found = new Map<Entry, Message>();
    for (const message of messages) {
      const entry = this.#find(message);
      if (!entry) problems.push(`no user wrote "${message.content}"`);
      else if (found.has(entry)) problems.push(`"${entry.content}" is duplicated`);
      else found.set(entry, message);
    }
    for (const entry of this.#entries.values()) {
      problems.push(...findEntryProblems(entry, found.get(entry)));
    }
    return [...problems, ...this.#findOrderProblems(messages, scopeOf)];
  }

  #findOrderProblems(
    messages: readonly Message[],
    scopeOf: (username: string) => OrderScope,
  ): string[] {
    const problems: string[] = [];
    const before: Entry[] = [];
    const written = [...this.#entries.values()];
    for (const message of messages) {
      const entry = this.#find(message);
      if (!entry || entry.lane === 'first') continue;
      const { username, lane, page, isCertain } = entry;
      const scope = scopeOf(username);
      // If the storage failed to delete a discarded message, the next load sends it.
      if (scope !== 'user' && !isCertain) continue;
      const isOutOfOrder = before.some(
        (each) =>
          each.username === username &&
          each.lane === lane &&
          (scope === 'user' || (scope === 'page' && each.page === page)) &&
          written.indexOf(each) > written.indexOf(entry),
      );
      if (isOutOfOrder) problems.push(`"${entry.content}" is out of order`);
      before.push(entry);
    }
    return problems;
  }

  #attempt(content: string): Attempt {
    this.#clock += 1;
    return { content, start: this.#clock, end: undefined, isDone: false };
  }

  #find({ clientId = '', content }: Written): Entry | undefined {
    return this.#files.get(clientId) ?? this.#entries.get(originalText(content));
  }

  #entryOf(written: Written): Entry {
    const entry = this.#find(written);
    if (!entry) throw new Error(`no user wrote "${written.content}"`);
    return entry;
  }
}

function findEntryProblems(entry: Entry, message: Message | undefined): string[] {
  const { content, isCertain, edits, deletions } = entry;
  if (!message) {
    return isCertain && deletions.length === 0 ? [`"${content}" is lost`] : [];
  }
  const problems: string[] = [];
  if (deletions.some(({ isDone }) => isDone)) problems.push(`"${content}" was not deleted`);
  const written = { content, start: 0, end: 0, isDone: true };
  const possible = [written, ...edits].filter(
    (attempt) => !edits.some((later) => later.isDone && later.start > (attempt.end ?? Infinity)),
  );
  const isFile = entry.lane === 'image' || entry.lane === 'audio';
  if (isFile ? message.kind !== entry.lane : message.kind !== 'text') {
    problems.push(`"${content}" is of kind ${message.kind}`);
  }
  if (!isFile && !possible.some((attempt) => attempt.content === message.content)) {
    problems.push(`"${content}" was edited to "${message.content}", which was changed since`);
  }
  return problems;
}

/** Returns the original text of a message, edited or not. */
function originalText(content: string): string {
  return content.split('/')[0] ?? '';
}
