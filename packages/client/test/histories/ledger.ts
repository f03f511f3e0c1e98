import type { Message } from '@parley/contract';

/** Something that was asked of the server, and whether it said that it was done. */
interface Attempt {
  readonly content: string;
  readonly start: number;
  /** When its outcome came; undefined while it may still be carried out. */
  end: number | undefined;
  isDone: boolean;
}

/** Texts keep their order, and so do files of one kind; a first message has none. */
export type Lane = 'text' | 'image' | 'audio' | 'first';

/** Whose messages keep their order: all of a user, those that one load of a page wrote, or none. */
export type OrderScope = 'user' | 'page' | 'none';

/** A message that a user wrote. */
interface Entry {
  readonly username: string;
  /** Its first text, or the name of its file. */
  readonly content: string;
  readonly lane: Lane;
  /** The load of a page that wrote it. */
  readonly page: object | undefined;
  /** Whether the server has to have it: it was sent and not discarded. */
  isCertain: boolean;
  readonly edits: Attempt[];
  readonly deletions: Attempt[];
}

/** A message, or what is to become one. */
type Written = Pick<Message, 'content' | 'clientId'>;

/** What the users wrote, and what may have become of it. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  /** Files, by the `clientId` of their messages. */
  readonly #files = new Map<string, Entry>();
  readonly #drafts = new Map<string, string>();
  #clock = 0;

  /** Notes a message and returns its text or the name of its file, which no other message has. */
  write(username: string, lane: Lane, page?: object): string {
    const content = `${username} ${this.#entries.size}`;
    const entry = { username, content, lane, page, isCertain: true, edits: [], deletions: [] };
    this.#entries.set(content, entry);
    return content;
  }

  /** Notes the `clientId` of a file's message. */
  nameFile(name: string, clientId: string): void {
    this.#files.set(clientId, this.#entryOf({ content: name, clientId }));
  }

  /** Notes that the server need not have a message: it was discarded, or storage failed to keep it. */
  setUncertain(written: Written): void {
    this.#entryOf(written).isCertain = false;
  }

  /** Notes a draft of a user and returns its text. */
  draft(username: string): string {
    this.#clock += 1;
    const text = `draft ${this.#clock}`;
    this.#drafts.set(username, text);
    return text;
  }

  /** Returns what a user typed last. */
  draftOf(username: string): string | undefined {
    return this.#drafts.get(username);
  }

  /** Notes an edit and returns the new text. */
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

  /** What is wrong with the messages that the server has in the end. */
  problems(messages: readonly Message[], scopeOf: (username: string) => OrderScope): string[] {
    const problems: string[] = [];
    const found = new Map<Entry, Message>();
    for (const message of messages) {
      const entry = this.#find(message);
      if (!entry) problems.push(`nobody wrote "${message.content}"`);
      else if (found.has(entry)) problems.push(`"${entry.content}" is there twice`);
      else found.set(entry, message);
    }
    for (const entry of this.#entries.values()) {
      problems.push(...fateProblems(entry, found.get(entry)));
    }
    return [...problems, ...this.#orderProblems(messages, scopeOf)];
  }

  #orderProblems(
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
      // Where storage failed to delete what was discarded, it goes out after the next load.
      if (scope !== 'user' && !isCertain) continue;
      const isOvertaken = before.some(
        (each) =>
          each.username === username &&
          each.lane === lane &&
          (scope === 'user' || (scope === 'page' && each.page === page)) &&
          written.indexOf(each) > written.indexOf(entry),
      );
      if (isOvertaken) problems.push(`"${entry.content}" is out of order`);
      before.push(entry);
    }
    return problems;
  }

  #attempt(content: string): Attempt {
    this.#clock += 1;
    return { content, start: this.#clock, end: undefined, isDone: false };
  }

  #find({ clientId = '', content }: Written): Entry | undefined {
    return this.#files.get(clientId) ?? this.#entries.get(base(content));
  }

  #entryOf(written: Written): Entry {
    const entry = this.#find(written);
    if (!entry) throw new Error(`nobody wrote "${written.content}"`);
    return entry;
  }
}

function fateProblems(entry: Entry, message: Message | undefined): string[] {
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

/** The text that an edited message had at first. */
function base(content: string): string {
  return content.split('/')[0] ?? '';
}
