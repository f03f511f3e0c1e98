import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DELETED_USER, LIMITS } from '@parley/contract';
import { fill, fillPlural } from '@parley/texts';
import { findChatroom } from '../chatrooms/chatroom.service.ts';
import type { Context } from '../context.ts';
import { incomingFolder } from '../media-store/media-folders.ts';
import { newId } from '../storage/ids.ts';
import type { ViewedChat, ViewedContent, ViewedMessage } from '../viewed-message.ts';
import { pageName } from './export-folder.ts';
import { markup, type Markup } from './markup.ts';
import { renderMessage, type ExportedFile } from './message-markup.ts';
import { toPage, type PageFormat } from './page-format.ts';
import type { ZipWriter } from './zip-writer.ts';

/** Number of messages on a page, and of characters, whichever is reached first. */
const PAGE_MESSAGES = 1_000;
const PAGE_CHARACTERS = 1_000_000;

/** Number of digits in the names of files. They are sorted like the messages. */
const SEQ_DIGITS = 6;

/** Where and how a chat is written. */
interface ChatTarget {
  readonly zip: ZipWriter;
  readonly format: PageFormat;
  /** The folder in the archive, with a slash at its end; empty for the root. */
  readonly folder: string;
  /** A link to the page with all chats, if there is one. */
  readonly overview: string | undefined;
  readonly signal: AbortSignal;
  /** @throws {AppError} `storage_full` if there is no space for so many bytes more */
  readonly assertSpace: (bytes: number) => Promise<void>;
  /** Is told the `seq` of the last message that was read. */
  readonly onRead: (seq: number) => Promise<void>;
}

/** What was written of a chat. */
export interface WrittenChat {
  readonly messages: number;
  readonly pages: number;
}

/**
 * Writes a chat as the user sees it: pages, their pictures and recordings, and the messages as JSON. Reads it in parts
 * with pauses as long as they took, so that other users notice little.
 * @throws a file system error, an error of the database or the media store, or {@link AppError} `storage_full`
 */
export async function writeChat(
  ctx: Context,
  userId: string,
  chat: ViewedChat,
  target: ChatTarget,
): Promise<WrittenChat> {
  const { zip, folder, signal } = target;
  // ZIP files consist of one entry after the other, so this one waits in a file.
  const path = join(incomingFolder(ctx.config), `${newId()}.json`);
  const json = await open(path, 'wx+', 0o600);
  try {
    const pages = createPages(chat, target);
    await json.appendFile(openingOf(chat));
    let count = 0;
    let after = 0;
    let hasNewer = true;
    while (hasNewer) {
      signal.throwIfAborted();
      await target.assertSpace(0);
      const startedAt = performance.now();
      const part = { after, limit: LIMITS.pageMax };
      const room = await findChatroom(ctx, userId, chat.chatId, part);
      // The user has it no more.
      if (room === undefined) break;
      for (const message of room.chatroomMessages) {
        const file = await addFile(ctx, target, message);
        await pages.add(room.currentUsername, message, file);
        await json.appendFile(`${count === 0 ? '' : ','}\n${toJson(message, file)}`);
        count += 1;
      }
      after = room.chatroomMessages.at(-1)?.seq ?? after;
      hasNewer = room.hasNewer === true;
      await target.onRead(after);
      await sleep(performance.now() - startedAt, undefined, { signal });
    }
    await json.appendFile('\n]}\n');
    await json.sync();
    const stream = json.createReadStream({ start: 0, autoClose: false });
    await zip.addStream(`${folder}messages.json`, stream, false);
    return { messages: count, pages: await pages.finish() };
  } finally {
    await json.close();
    await rm(path, { force: true });
  }
}

/** Adds the file of a message to the archive. Returns undefined for a text. */
async function addFile(
  { media }: Pick<Context, 'media'>,
  { zip, folder, assertSpace }: ChatTarget,
  message: ViewedMessage,
): Promise<ExportedFile | undefined> {
  if (typeof message.content === 'string') return undefined;
  if (message.media?.isBlocked === true) return 'blocked';
  const { file } = message.content;
  const handle = await media.open(file, { isReadOnce: true });
  // It was deleted since the message was read.
  if (handle === undefined) return 'unavailable';
  try {
    await assertSpace((await handle.stat()).size);
    const number = String(message.seq).padStart(SEQ_DIGITS, '0');
    const path = `media/${number}${file.slice(file.lastIndexOf('.'))}`;
    const stream = handle.createReadStream({ start: 0, autoClose: false });
    await zip.addStream(folder + path, stream, true);
    return { path };
  } finally {
    await handle.close();
  }
}

function openingOf({ chatId, usernames, isDeletedAccount, status, readSeq, settings }: ViewedChat) {
  const partner = isDeletedAccount ? DELETED_USER : usernames.join();
  const head = JSON.stringify({ id: chatId, partner, status, readSeq, settings });
  return `${head.slice(0, -1)},"messages":[`;
}

function toJson(message: ViewedMessage, file: ExportedFile | undefined): string {
  const { _id: id, sender, content, replyTo, ...others } = message;
  const {
    chatroom: _chatroom,
    rev: _rev,
    clientId: _clientId,
    activeAt: _activeAt,
    ...rest
  } = others;
  return JSON.stringify({
    id,
    sender: sender.username,
    ...rest,
    content: textOf(content),
    ...(file !== undefined && { file: typeof file === 'object' ? file.path : null }),
    ...(replyTo && { replyTo: { ...replyTo, content: textOf(replyTo.content) } }),
  });
}

function textOf(content: ViewedContent): string {
  return typeof content === 'string' ? content : '';
}

/** Collects messages and writes them as pages. */
interface Pages {
  add(ownName: string, message: ViewedMessage, file: ExportedFile | undefined): Promise<void>;
  /** Writes the last page. Returns the number of pages. */
  finish(): Promise<number>;
}

function createPages(chat: ViewedChat, { zip, format, folder, overview }: ChatTarget): Pages {
  const { texts } = format;
  const partner = chat.isDeletedAccount ? texts.deletedUser : chat.usernames.join();
  const title = fill(texts.chatTitle, { name: partner });
  /** The `seq` of the first message of each page. */
  const starts: number[] = [];
  let parts: Markup[] = [];
  let characters = 0;
  let count = 0;
  let last: { day: string; username: string } | undefined;

  function linkTo(seq: number): string {
    const page = starts.findLastIndex((start) => start <= seq) + 1;
    return `${page === 0 || page === starts.length ? '' : pageName(page)}#m${seq}`;
  }

  async function flush(hasNext: boolean): Promise<void> {
    const page = Math.max(starts.length, 1);
    const links = [
      overview !== undefined && markup`<a href="${overview}">${texts.overview}</a>`,
      page > 1 && markup`<a href="${pageName(page - 1)}" rel="prev">${texts.messages.previous}</a>`,
      (page > 1 || hasNext) && markup`<span>${fill(texts.messages.page, { page })}</span>`,
      hasNext && markup`<a href="${pageName(page + 1)}" rel="next">${texts.messages.next}</a>`,
    ].filter((link) => link !== false);
    const nav =
      links.length > 0 && markup`<nav aria-label="${texts.messages.pages}">${links}</nav>`;
    const body = markup`<header>
<h1><bdi>${title}</bdi></h1>
${nav}
</header>
<main>
${parts.length === 0 && markup`<p class="note">${texts.messages.none}</p>`}${parts}</main>
<footer>
${nav}
<p class="note">${texts.machine} <a href="messages.json">messages.json</a></p>
</footer>`;
    await zip.addText(folder + pageName(page), toPage(format, title, body));
    parts = [];
    characters = 0;
    count = 0;
    last = undefined;
  }

  return {
    async add(ownName, message, file) {
      if (count >= PAGE_MESSAGES || characters >= PAGE_CHARACTERS) await flush(true);
      if (count === 0) starts.push(message.seq);
      const day = format.day(message.createdAt);
      const { username } = message.sender;
      const isNewDay = day !== last?.day;
      const isFirst = isNewDay || username !== last?.username;
      if (isNewDay) parts.push(markup`<h2 class="day">${day}</h2>\n`);
      const part = renderMessage(message, { format, ownName, isFirst, file, linkTo });
      parts.push(part);
      characters += part.source.length;
      count += 1;
      last = { day, username };
    },
    async finish() {
      await flush(false);
      return Math.max(starts.length, 1);
    },
  };
}

/** Returns how many messages a chat has, as a text. */
export function describeCount({ language, texts }: PageFormat, { messages }: WrittenChat): string {
  return fillPlural(language, texts.chats, 'messages', messages);
}
