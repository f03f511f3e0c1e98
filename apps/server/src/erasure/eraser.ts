import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { WriteContext } from '../storage/storage.ts';
import { outboxFolder, removeMailsTo } from '../mail/outbox-delivery.ts';
import { removeFile, mediaPath } from '../media/media-store.ts';
import { createAccountTraces } from './account-traces.ts';
import { deleteErasures, findErasures, type Erasure } from './erasure.repository.ts';

/** Files that are deleted before the list is written again. */
const FILES_AT_ONCE = 100;

/** What the eraser works with. */
export type ErasureContext = Pick<Context, 'config' | 'log'> & {
  readonly storage: Pick<Context['storage'], 'read' | 'write'>;
};

/**
 * Erases everything that is on the list, in slices with pauses as long as the slices took, so that
 * users who chat meanwhile notice little. Stops early when `signal` is aborted; what is left stays
 * on the list. May run twice at the same time.
 */
export async function eraseQueued(ctx: ErasureContext, signal: AbortSignal): Promise<void> {
  const queued = await ctx.storage.read((db) =>
    findErasures(db, 'mails', 0, Number.MAX_SAFE_INTEGER),
  );
  for (const mails of queued) {
    if (signal.aborted) return;
    await removeMailsTo(outboxFolder(ctx.config), mails.subject);
    await ctx.storage.write(({ trx }) => deleteErasures(trx, [mails.id]));
  }
  let reached = 0;
  while (!signal.aborted) {
    const [account] = await ctx.storage.read((db) => findErasures(db, 'account', reached, 1));
    if (account === undefined) break;
    await eraseAccount(ctx, account, signal);
    reached = account.id;
  }
  await removeQueuedFiles(ctx, signal);
}

async function eraseAccount(
  { storage }: ErasureContext,
  account: Erasure,
  signal: AbortSignal,
): Promise<void> {
  const traces = createAccountTraces(account.subject);
  const slice = async ({ trx }: WriteContext) => {
    const isLeft = await traces.eraseSlice(trx);
    if (!isLeft) await deleteErasures(trx, [account.id]);
    return isLeft;
  };
  let isLeft = true;
  while (isLeft && !signal.aborted) {
    const begun = performance.now();
    isLeft = await storage.write(slice);
    await sleep(performance.now() - begun);
  }
}

/** What cannot be deleted now stays on the list. */
async function removeQueuedFiles(ctx: ErasureContext, signal: AbortSignal): Promise<void> {
  let reached = 0;
  while (!signal.aborted) {
    const files = await ctx.storage.read((db) => findErasures(db, 'file', reached, FILES_AT_ONCE));
    const last = files.at(-1);
    if (last === undefined) return;
    const removed: number[] = [];
    for (const { id, subject } of files) {
      if (await removeFile(mediaPath(ctx.config, subject), ctx.log)) removed.push(id);
    }
    await ctx.storage.write(({ trx }) => deleteErasures(trx, removed));
    reached = last.id;
  }
}
