import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { findChatroom, listChats } from '../chatrooms/chatroom.service.ts';
import { listBlocked } from '../chatrooms/consent.service.ts';
import type { Context } from '../context.ts';
import { createMediaFolders, incomingFolder } from '../media-store/media-folders.ts';
import type { ViewedChat } from '../viewed-message.ts';
import { AppError } from '../errors/app-error.ts';
import { readAccountData } from './account-data.ts';
import { writeChat } from './chat-writer.ts';
import { folderOf } from './export-folder.ts';
import type { ExportRow } from './export.repository.ts';
import { assertExportQuota, makeRoomForExport } from './export-space.ts';
import { createPageFormat } from './page-format.ts';
import { renderOverview, type ExportedChat } from './export-overview.ts';
import { createZipWriter, type ZipWriter } from './zip-writer.ts';

/** What is exported, and for whom. */
type Subject = Pick<ExportRow, 'user_id' | 'chatroom_id' | 'language' | 'time_zone'>;

/** How making an archive goes on. */
export interface ExportProgress {
  readonly signal: AbortSignal;
  /** Is told how many of all messages were read, about. */
  readonly onProgress: (done: number, total: number) => Promise<void>;
  /** The secret from which the codes of invitations are derived. */
  readonly codeSecret: string;
}

/**
 * Makes an archive and puts it into the media store as `file`. Returns its size in bytes. Leaves no file of its own in
 * the folder of incoming files.
 * @throws the reason of the signal, a file system error, an error of the database or the media store, or
 * {@link AppError}: `storage_full`, `unauthenticated` if the account has been deleted, or `room_not_found` if the user no
 * longer has the chat
 */
export async function makeExport(
  ctx: Context,
  subject: Subject,
  file: string,
  progress: ExportProgress,
): Promise<number> {
  await createMediaFolders(ctx.config);
  const path = join(incomingFolder(ctx.config), file);
  // Left over from an attempt of this process.
  await rm(path, { force: true });
  const now = new Date();
  const zip = createZipWriter(path, now);
  try {
    await fillZip(ctx, subject, zip, now, progress);
    await zip.finish();
    const { size } = await stat(path);
    progress.signal.throwIfAborted();
    await makeRoomForExport(ctx, size);
    await addToStore(ctx, file, path);
    return size;
  } catch (error) {
    await zip.abort();
    throw error;
  } finally {
    await rm(path, { force: true });
  }
}

async function addToStore(
  { media }: Pick<Context, 'media'>,
  file: string,
  path: string,
): Promise<void> {
  try {
    await media.add(file, path);
  } catch (error) {
    // Another attempt has another name.
    await media.remove(file);
    throw error;
  }
}

async function fillZip(
  ctx: Context,
  { user_id: userId, chatroom_id: chatroomId, language, time_zone: timeZone }: Subject,
  zip: ZipWriter,
  now: Date,
  { signal, onProgress, codeSecret }: ExportProgress,
): Promise<void> {
  const format = createPageFormat(language, timeZone);
  const isWhole = chatroomId === null;
  const chosen = isWhole
    ? await listAllChats(ctx, userId)
    : await findChats(ctx, userId, [chatroomId]);
  if (!isWhole && chosen.length === 0) throw new AppError('room_not_found');
  const total = chosen.reduce((sum, chat) => sum + lengthOf(chat), 0);
  let before = 0;
  const exported: ExportedChat[] = [];
  await onProgress(0, total);
  for (const [i, chat] of chosen.entries()) {
    const name = chat.isDeletedAccount ? 'deleted' : chat.usernames.join();
    const folder = isWhole ? `chats/${folderOf(i + 1, name)}/` : '';
    const written = await writeChat(ctx, userId, chat, {
      zip,
      format,
      folder,
      overview: isWhole ? '../../index.html' : undefined,
      signal,
      assertSpace: async (bytes) => {
        assertExportQuota(ctx, zip.size() + bytes);
        await ctx.disk.assertSpaceForExport(bytes);
      },
      onRead: (seq) => onProgress(before + Math.min(seq, lengthOf(chat)), total),
    });
    before += lengthOf(chat);
    exported.push({ chat, folder, ...written });
  }
  if (!isWhole) return;
  const data = await readAccountData(ctx, userId, codeSecret);
  const exportedAt = now.toISOString();
  const chats = exported.map(({ chat, folder, messages }) => ({
    id: chat.chatId,
    partner: chat.isDeletedAccount ? null : chat.usernames.join(),
    status: chat.status,
    messages,
    folder,
  }));
  const content = { exportedAt, timeZone: format.timeZone, ...data, chats };
  await zip.addText('account.json', `${JSON.stringify(content, null, 2)}\n`);
  await zip.addText('index.html', renderOverview(format, data, exported, exportedAt));
}

/** Returns the chats in the list of a user, and those with blocked partners, which can be read under Settings. */
async function listAllChats(ctx: Context, userId: string): Promise<ViewedChat[]> {
  const { chatrooms } = await listChats(ctx, userId);
  const { blocked } = await listBlocked(ctx, userId);
  const listed = new Set(chatrooms.map(({ chatId }) => chatId));
  const others = blocked.map(({ chatId }) => chatId).filter((id) => !listed.has(id));
  return [...chatrooms, ...(await findChats(ctx, userId, others))];
}

/** Returns those of the given chats that the user can open. */
async function findChats(
  ctx: Context,
  userId: string,
  ids: readonly string[],
): Promise<ViewedChat[]> {
  const chats: ViewedChat[] = [];
  for (const id of ids) {
    const room = await findChatroom(ctx, userId, id, { limit: 1 });
    if (room !== undefined) chats.push(room.chat);
  }
  return chats;
}

/** Returns how many messages a chat has at most. */
function lengthOf({ lastMessage }: ViewedChat): number {
  return lastMessage?.seq ?? 0;
}
