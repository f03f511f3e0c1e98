import { setTimeout as sleep } from 'node:timers/promises';
import { tellChats, tellMemberChange } from '../chat-states/chat-state.service.ts';
import type { Context } from '../context.ts';
import type { Writer } from '../storage/storage.ts';
import { getMailFolder, removeMailsTo } from '../mail/folder-delivery.ts';
import { isStoredFile } from '../media-store/media-file-name.ts';
import { createAccountEraser } from './account-eraser.ts';
import { findSharedChatrooms } from './account-eraser.repository.ts';
import { eraseUnseenMessages } from './chatroom-eraser.ts';
import { deleteErasures, findErasures, type Erasure } from './erasure.repository.ts';

/** Number of files that are deleted before the queue is updated. */
const FILES_PER_BATCH = 100;

/** The parts of the context that erasing needs. */
export type ErasureContext = Pick<Context, 'config' | 'media'> & {
  readonly storage: Pick<Context['storage'], 'read' | 'write'>;
};

/**
 * Erases everything in the queue, in batches with pauses as long as the batches took, so that other
 * users notice little. Stops early when `signal` is aborted and leaves the rest in the queue. Safe to
 * run twice at the same time.
 */
export async function eraseQueued(ctx: ErasureContext, signal: AbortSignal): Promise<void> {
  const told = new Set<string>();
  await tellPartners(ctx, told, signal);
  const queued = await ctx.storage.read((db) =>
    findErasures(db, 'mails', 0, Number.MAX_SAFE_INTEGER),
  );
  for (const mails of queued) {
    if (signal.aborted) return;
    await removeMailsTo(getMailFolder(ctx.config), mails.subject);
    await ctx.storage.write(({ trx }) => deleteErasures(trx, [mails.id]));
  }
  // The end of an account may leave messages that no member sees, and does not wait for those of others.
  while ((await eraseNextAccount(ctx, told, signal)) || (await eraseSomeUnseen(ctx, signal)));
  await removeQueuedFiles(ctx, signal);
}

/**
 * Tells the partners of accounts that have ended since the last call, so that they do not wait for the erasure of an
 * earlier account. After an interruption, those whose chatrooms are not erased yet are told again.
 */
async function tellPartners(
  { storage }: ErasureContext,
  told: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  const accounts = await storage.read((db) =>
    findErasures(db, 'account', 0, Number.MAX_SAFE_INTEGER),
  );
  for (const { subject } of accounts) {
    if (signal.aborted) return;
    if (told.has(subject)) continue;
    const chatrooms = await storage.read((db) => findSharedChatrooms(db, subject));
    await tellChats(storage, chatrooms, tellMemberChange);
    told.add(subject);
  }
}

/** Erases the account that has waited for longest. Returns whether there was one. */
async function eraseNextAccount(
  ctx: ErasureContext,
  told: Set<string>,
  signal: AbortSignal,
): Promise<boolean> {
  const account = await findNext(ctx, 'account', signal);
  if (account === undefined) return false;
  const eraser = createAccountEraser(account.subject);
  let hasMore = true;
  while (hasMore && !signal.aborted) {
    await tellPartners(ctx, told, signal);
    hasMore = await eraseBatch(ctx, account, (trx) => eraser.eraseBatch(trx));
  }
  return true;
}

/** Erases some messages that no member sees any more. Returns false if no chatroom is in the queue. */
async function eraseSomeUnseen(ctx: ErasureContext, signal: AbortSignal): Promise<boolean> {
  const chatroom = await findNext(ctx, 'chatroom', signal);
  if (chatroom === undefined) return false;
  await eraseBatch(ctx, chatroom, (trx) => eraseUnseenMessages(trx, chatroom.subject));
  return true;
}

async function findNext(
  { storage }: ErasureContext,
  kind: Erasure['kind'],
  signal: AbortSignal,
): Promise<Erasure | undefined> {
  if (signal.aborted) return undefined;
  const [next] = await storage.read((db) => findErasures(db, kind, 0, 1));
  return next;
}

/** Erases a part of what an entry of the queue contains, or removes the entry. Returns whether anything was left. */
async function eraseBatch(
  { storage }: ErasureContext,
  { id }: Erasure,
  erase: (trx: Writer) => Promise<boolean>,
): Promise<boolean> {
  const startedAt = performance.now();
  const wasLeft = await storage.write(async ({ trx }) => {
    const isLeft = await erase(trx);
    if (!isLeft) await deleteErasures(trx, [id]);
    return isLeft;
  });
  await sleep(performance.now() - startedAt);
  return wasLeft;
}

/** Deletes the files in the queue. Those that cannot be deleted now stay in it. */
async function removeQueuedFiles(ctx: ErasureContext, signal: AbortSignal): Promise<void> {
  let position = 0;
  while (!signal.aborted) {
    const files = await ctx.storage.read((db) =>
      findErasures(db, 'file', position, FILES_PER_BATCH),
    );
    const last = files.at(-1);
    if (last === undefined) return;
    const removed: number[] = [];
    for (const { id, subject } of files) {
      // A restored queue may contain anything. Only uploads and exports have files.
      if (!isStoredFile(subject) || (await ctx.media.remove(subject))) removed.push(id);
    }
    await ctx.storage.write(({ trx }) => deleteErasures(trx, removed));
    position = last.id;
  }
}
