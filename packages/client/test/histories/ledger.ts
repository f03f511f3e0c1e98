import type { Message } from '@parley/contract';

/** Something that was asked of the server, and whether it said that it was done. */
interface Attempt {
  readonly content: string;
  readonly start: number;
  /** When its outcome came; undefined while it may still be carried out. */
  end: number | undefined;
  isDone: boolean;
}

/** A message that a user wrote. */
interface Entry {
  readonly username: string;
  readonly content: string;
  /** Whether it went through the outbox, which keeps an order, or is a first message. */
  readonly isOrdered: boolean;
  /** Whether the server has to have it: it was sent and not discarded. */
  isCertain: boolean;
  readonly edits: Attempt[];
  readonly deletions: Attempt[];
}

/** What the users wrote, and what may have become of it. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  #clock = 0;

  /** Notes a message and returns its text, which no other message has. */
  write(username: string, isOrdered: boolean): string {
    const content = `${username} ${this.#entries.size}`;
    const entry = { username, content, isOrdered, isCertain: true, edits: [], deletions: [] };
    this.#entries.set(content, entry);
    return content;
  }

  /** Notes that the server may or may not have a message. */
  setCertain(content: string, isCertain: boolean): void {
    this.#entryOf(content).isCertain = isCertain;
  }

  /** Notes an edit and returns the new text. */
  edit(before: string): { content: string; attempt: Attempt } {
    const { content, edits } = this.#entryOf(before);
    const attempt = this.#attempt(`${content}/${edits.length}`);
    edits.push(attempt);
    return { content: attempt.content, attempt };
  }

  delete(content: string): Attempt {
    const attempt = this.#attempt('');
    this.#entryOf(content).deletions.push(attempt);
    return attempt;
  }

  end(attempt: Attempt, isDone: boolean): void {
    this.#clock += 1;
    attempt.end = this.#clock;
    attempt.isDone = isDone;
  }

  /** What is wrong with the messages that the server has in the end. */
  problems(messages: readonly Message[]): string[] {
    const problems: string[] = [];
    const found = new Map<Entry, Message>();
    for (const message of messages) {
      const entry = this.#entries.get(base(message.content));
      if (!entry) problems.push(`nobody wrote "${message.content}"`);
      else if (found.has(entry)) problems.push(`"${entry.content}" is there twice`);
      else found.set(entry, message);
    }
    for (const entry of this.#entries.values()) {
      problems.push(...fateProblems(entry, found.get(entry)));
    }
    return [...problems, ...this.#orderProblems(messages)];
  }

  #orderProblems(messages: readonly Message[]): string[] {
    const written = [...this.#entries.keys()];
    const last = new Map<string, number>();
    return messages.flatMap(({ content }) => {
      const entry = this.#entries.get(base(content));
      if (!entry?.isOrdered) return [];
      const place = written.indexOf(entry.content);
      const before = last.get(entry.username) ?? -1;
      last.set(entry.username, place);
      return place < before ? [`"${content}" is out of order`] : [];
    });
  }

  #attempt(content: string): Attempt {
    this.#clock += 1;
    return { content, start: this.#clock, end: undefined, isDone: false };
  }

  #entryOf(content: string): Entry {
    const entry = this.#entries.get(base(content));
    if (!entry) throw new Error(`nobody wrote "${content}"`);
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
  if (!possible.some((attempt) => attempt.content === message.content)) {
    problems.push(`"${content}" was edited to "${message.content}", which was changed since`);
  }
  return problems;
}

/** The text that an edited message had at first. */
function base(content: string): string {
  return content.split('/')[0] ?? '';
}
