import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Reader, Writer } from '../storage/storage.ts';
import { AppError } from '../errors/app-error.ts';
import { incrementMessageCount, sumMediaBytes, readMediaTotals } from './quota.repository.ts';

type Settings = Pick<Config, 'quotas'>;

const DAY = 24 * 60 * 60 * 1000;

/**
 * Counts a new message towards its sender's day, within the write that sends it: what is refused
 * is not counted. Does nothing where there is no quota.
 * @throws {AppError} `quota_messages`
 */
export async function consumeMessageQuota(
  { quotas }: Settings,
  trx: Writer,
  userId: string,
): Promise<void> {
  if (quotas.messagesPerDay === undefined) return;
  const sent = await incrementMessageCount(trx, userId, Math.floor(Date.now() / DAY));
  if (sent > quotas.messagesPerDay) throw new AppError('quota_messages');
}

/**
 * Whether there is room for an upload of `size` bytes. Asked before the upload, to spare the
 * transfer, and in the write that records it, where it decides.
 * @throws {AppError} `quota_media` if the account's space is used up, `storage_full` if everybody's is
 */
export async function assertMediaQuota(
  { quotas }: Settings,
  db: Reader,
  userId: string,
  size: number,
): Promise<void> {
  const { mediaPerUser, mediaTotal } = quotas;
  if (mediaPerUser !== undefined && (await sumMediaBytes(db, userId)) + size > mediaPerUser) {
    throw new AppError('quota_media');
  }
  if (mediaTotal !== undefined && (await readMediaTotals(db)).bytes + size > mediaTotal) {
    throw new AppError('storage_full');
  }
}

/** Returns how many uploads there are and their size in bytes. */
export function readMediaUsage({
  storage,
}: Pick<Context, 'storage'>): Promise<{ files: number; bytes: number }> {
  return storage.read(readMediaTotals);
}
