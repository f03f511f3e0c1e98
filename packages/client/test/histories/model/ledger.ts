import type { Message } from '@parley/contract';
import { findAlbumProblems } from './find-album-problems.ts';

/** An edit in a load of a page. */
interface Edit {
  readonly content: string;
  readonly page: object;
}

/** Messages of the same lane keep their order, except first messages and captions. */
export type Lane = 'text' | 'image' | 'audio' | 'first' | 'caption';

/** Which messages keep their order: all of a user, those of one load of a page, or none. */
export type OrderScope = 'user' | 'page' | 'none';

/** A message that a user wrote. */
export interface Entry {
  readonly username: string;
  /** The original text, or the name of the file. */
  readonly content: string;
  readonly lane: Lane;
  /** The load of a page in which it was written. */
  readonly page: object | undefined;
  /** Whether the server must have stored it, because it was sent and not discarded. */
  isCertain: boolean;
  /** What it forwards. */
  readonly forwarded?: {
    readonly original: Entry;
    readonly kind: string;
    readonly content: string;
  };
  readonly edits: Edit[];
  isDeleted: boolean;
}

/** The latest value of a user's reaction to a message. */
interface WantedReaction {
  readonly username: string;
  readonly messageId: string;
  readonly emoji: string;
  readonly isOn: boolean;
  /** The load of a page in which it was set, or undefined if the outcome is uncertain. */
  readonly page: object | undefined;
}

/** A message, or an outbox entry that becomes one. */
type Written = Pick<Message, 'content' | 'clientId'>;

/** A record of everything that the users write, to check the server's messages against it. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  /** Files and forwarded messages, by the `clientId` of their messages. */
  readonly #named = new Map<string, Entry>();
  /** Contents that were forwarded, which do not identify a message. */
  readonly #forwarded = new Set<string>();
  /** The last draft of each browser. */
  readonly #drafts = new Map<object, string>();
  /** Users who have declined or blocked the chat, which discards what they have not sent. */
  readonly #hiders = new Set<string>();
  /** Messages that were sent while their recipient blocked the sender, by recipient. */
  readonly #withheld = new Map<string, Set<Entry>>();
  /** By user, message and emoji. */
  readonly #reactions = new Map<string, WantedReaction>();
  /** The ids of the messages that replies refer to. */
  readonly #replies = new Map<Entry, string>();
  #clock = 0;

  /** Records a message. Returns its unique text or file name. */
  write(username: string, lane: Lane, page?: object): string {
    const content = `${username} ${this.#entries.size}`;
    const isCertain = !this.#hiders.has(username);
    const entry = { username, content, lane, page, isCertain, edits: [], isDeleted: false };
    this.#entries.set(content, entry);
    return content;
  }

  /** Records that a user sets a reaction. Requests of several pages have no common order. */
  react(reaction: WantedReaction): void {
    const { username, messageId, emoji, page } = reaction;
    const key = `${username}:${messageId}:${emoji}`;
    const before = this.#reactions.get(key);
    const isOrdered = before === undefined || before.page === page;
    this.#reactions.set(key, isOrdered ? reaction : { ...reaction, page: undefined });
  }

  /** Returns the problems with the reactions of a user to messages at the end. */
  findReactionProblems(username: string, messages: readonly Message[]): string[] {
    // The server refuses reactions in a blocked chat.
    if (this.#hiders.size > 0) return [];
    return [...this.#reactions.values()].flatMap(({ messageId, emoji, isOn, ...reaction }) => {
      const message = messages.find(({ _id }) => _id === messageId);
      if (reaction.username !== username || !reaction.page || !message) return [];
      const found = message.reactions?.find((each) => each.emoji === emoji);
      if ((found?.usernames.includes(username) ?? false) === isOn) return [];
      return [`the reaction ${emoji} of ${username} to "${message.content}" is not ${isOn}`];
    });
  }

  /** Records that a message replies to another one. */
  reply(content: string, messageId: string): void {
    this.#replies.set(this.#entryOf({ content }), messageId);
  }

  /** Returns the problems with what messages reply to at the end. */
  findReplyProblems(messages: readonly Message[]): string[] {
    // The server ignores references to hidden messages.
    if (this.#hiders.size > 0) return [];
    return messages.flatMap((message) => {
      const { content, replyTo } = message;
      const entry = this.#find(message);
      const wanted = entry && this.#replies.get(entry);
      if (replyTo?.messageId !== wanted) return [`"${content}" replies to another message`];
      return hasCurrentQuote(message, messages) ? [] : [`"${content}" has an outdated quote`];
    });
  }

  /** Number of messages written so far. */
  get count(): number {
    return this.#entries.size;
  }

  /** Records that a user declines or blocks the chat, with the user's messages on the server. */
  hide(username: string, messages: readonly Message[]): void {
    this.#hiders.add(username);
    const stored = new Set(messages.map((message) => this.#find(message)));
    for (const entry of this.#entries.values()) {
      if (entry.username === username && !stored.has(entry)) entry.isCertain = false;
    }
  }

  /** Returns whether a user has ever declined or blocked the chat. */
  hasHidden(username: string): boolean {
    return this.#hiders.has(username);
  }

  /**
   * Records the messages that are on the server as withheld from a recipient, if they were written
   * after the first `count`.
   */
  withhold(recipient: string, count: number, messages: readonly Message[]): void {
    const late = new Set([...this.#entries.values()].slice(count));
    const withheld = this.#withheld.get(recipient) ?? new Set();
    for (const message of messages) {
      const entry = this.#find(message);
      if (entry && entry.username !== recipient && late.has(entry)) withheld.add(entry);
    }
    this.#withheld.set(recipient, withheld);
  }

  /** Returns which of these contents were withheld from a user. */
  findWithheld(username: string, contents: Iterable<string>): string[] {
    const withheld = this.#withheld.get(username);
    return [...contents].filter((content) => {
      if (this.#forwarded.has(content)) return false;
      const entry = this.#entries.get(originalText(content));
      return entry !== undefined && withheld?.has(entry) === true;
    });
  }

  /** Records that a user forwards a message. Returns the name of the new one. */
  forward(username: string, message: Message, page: object): string {
    const original = this.#entryOf(message);
    const { kind, content } = message;
    const name = this.write(username, 'text', page);
    this.#entries.set(name, {
      ...this.#entryOf({ content: name }),
      forwarded: { original, kind, content },
    });
    this.#forwarded.add(content);
    return name;
  }

  /** Records that a message was refused because its original is deleted, if that may be so. */
  fail(written: Written): void {
    const isDeleted = this.#entryOf(written).forwarded?.original.isDeleted ?? false;
    if (isDeleted || this.#hiders.size > 0) this.setUncertain(written);
  }

  /** Records that unsent captions became drafts, which the user decides about. */
  returnCaptions(draft: string): void {
    for (const line of draft.split('\n'))
      if (this.isCaption(line)) this.setUncertain({ content: line });
  }

  isCaption(content: string): boolean {
    return this.#entries.get(content)?.lane === 'caption';
  }

  /** Records the `clientId` of a file's message, or of a forwarded one. */
  name(name: string, clientId: string): void {
    this.#named.set(clientId, this.#entryOf({ content: name, clientId }));
  }

  /** Records that a message may be lost, because it was discarded or could not be stored. */
  setUncertain(written: Written): void {
    this.#entryOf(written).isCertain = false;
  }

  /** Returns whether a text is one that an edit has made. */
  isEdit(content: string): boolean {
    return content.includes('/');
  }

  /** Records a draft in a browser. Returns its text. */
  draft(browser: object): string {
    this.#clock += 1;
    const text = `draft ${this.#clock}`;
    this.#drafts.set(browser, text);
    return text;
  }

  /** Returns the last draft in a browser. */
  draftOf(browser: object): string | undefined {
    return this.#drafts.get(browser);
  }

  /** Records an edit. Returns the new text. */
  edit(before: Written, page: object): string {
    const { content, edits } = this.#entryOf(before);
    const edited = `${content}/${edits.length}`;
    edits.push({ content: edited, page });
    return edited;
  }

  delete(written: Written): void {
    this.#entryOf(written).isDeleted = true;
  }

  /**
   * Returns the problems with the messages that a user has on the server at the end.
   * @param failed the users whose storage has failed, so that their changes may be lost
   */
  findProblems(
    viewer: string,
    messages: readonly Message[],
    scopeOf: (username: string) => OrderScope,
    failed: ReadonlySet<string>,
  ): string[] {
    const withheld = this.findWithheld(
      viewer,
      messages.map(({ content }) => content),
    );
    const problems = withheld.map((content) => `"${content}" was sent while blocked`);
    const found = new Map<Entry, Message>();
    for (const message of messages) {
      const entry = this.#find(message);
      if (!entry) problems.push(`no user wrote "${message.content}"`);
      else if (found.has(entry)) problems.push(`"${entry.content}" is duplicated`);
      else found.set(entry, message);
    }
    for (const entry of this.#entries.values()) {
      const message = found.get(entry);
      // The partner's messages may have been withheld, or deleted with a request.
      if (!message && entry.username !== viewer && this.#hiders.has(viewer)) continue;
      // A decision about the partner discards changes that are not sent, and the server refuses them in a blocked chat.
      const mayLoseChanges = this.#hiders.size > 0 || failed.has(entry.username);
      problems.push(...findEntryProblems(entry, message, mayLoseChanges));
    }
    problems.push(...findAlbumProblems(found, scopeOf));
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
      if (!entry || entry.lane === 'first' || entry.lane === 'caption') continue;
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

  #find({ clientId = '', content }: Written): Entry | undefined {
    return this.#named.get(clientId) ?? this.#entries.get(originalText(content));
  }

  #entryOf(written: Written): Entry {
    const entry = this.#find(written);
    if (!entry) throw new Error(`no user wrote "${written.content}"`);
    return entry;
  }
}

/** Returns whether a message, if it is a reply, quotes its original as it is among all messages that its viewer sees. */
export function hasCurrentQuote({ replyTo }: Message, messages: readonly Message[]): boolean {
  if (!replyTo) return true;
  const original = messages.find(({ _id }) => _id === replyTo.messageId);
  if (!original) {
    return replyTo.isDeleted === true && replyTo.content === '' && replyTo.username === '';
  }
  const isSame = original.kind !== 'text' || original.content === replyTo.content;
  return !replyTo.isDeleted && isSame && original.sender.username === replyTo.username;
}

function findEntryProblems(
  entry: Entry,
  message: Message | undefined,
  mayLoseChanges: boolean,
): string[] {
  const { content, isCertain, forwarded, isDeleted } = entry;
  if (!message) return isCertain && !isDeleted ? [`"${content}" is lost`] : [];
  const problems: string[] = [];
  if (isDeleted && !mayLoseChanges) problems.push(`"${content}" was not deleted`);
  const possible = findPossibleTexts(entry, mayLoseChanges);
  const ofLane = entry.lane === 'image' || entry.lane === 'audio' ? entry.lane : 'text';
  const kind = forwarded?.kind ?? ofLane;
  const isFile = kind !== 'text';
  if (message.kind !== kind) problems.push(`"${content}" is of kind ${message.kind}`);
  // An edited text is the user's own.
  const isForwarded = forwarded !== undefined && (isFile || message.content === forwarded.content);
  if ((message.isForwarded ?? false) !== isForwarded) {
    problems.push(`"${content}" is wrongly shown as forwarded or not`);
  }
  if (isFile && forwarded?.content === message.content) {
    problems.push(`"${content}" is the file of its original, not a copy`);
  }
  if (!isFile && !possible.includes(message.content)) {
    problems.push(`"${content}" was edited to "${message.content}", which was changed since`);
  }
  return problems;
}

/** Returns the texts that a message may have at the end. Edits of several pages have no common order. */
function findPossibleTexts(
  { content, forwarded, edits }: Entry,
  mayLoseChanges: boolean,
): readonly string[] {
  const texts = edits.map((edit) => edit.content);
  const last = edits.at(-1);
  if (!last || mayLoseChanges) return [forwarded?.content ?? content, ...texts];
  return edits.every(({ page }) => page === last.page) ? [last.content] : texts;
}

/** Returns the original text of a message, edited or not. */
function originalText(content: string): string {
  return content.split('/')[0] ?? '';
}
