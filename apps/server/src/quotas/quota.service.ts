import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Reader, Writer } from '../storage/storage.ts';
import { AppError } from '../errors/app-error.ts';
import { addToMessageCount, sumMediaBytes, readMediaTotals } from './quota.repository.ts';

type QuotaConfig = Pick<Config, 'quotas'>;

const DAY = 24 * 60 * 60 * 1000;

/** Quotas below twice this number are exact. Larger ones are reached about 3 % too early or too late, rarely 10 %. */
const SAMPLES = 1_000;

/** Returns the current day, counted from 1970 in UTC. */
export function today(): number {
  return Math.floor(Date.now() / DAY);
}

/**
 * Counts a new message towards the daily quota of its sender. Runs in the write that sends the
 * message, so a rejected message is not counted. Does nothing without a quota.
 *
 * The statement that counts would make sending a tenth slower. With a large quota, it therefore runs for a random one
 * of several messages and counts all of them. Unlike a count in memory, that needs no agreement between processes.
 * @param sentBefore the number of messages that were counted today
 * @throws {AppError} `quota_messages`
 */
export async function consumeMessageQuota(
  { quotas }: QuotaConfig,
  trx: Writer,
  userId: string,
  sentBefore: number,
): Promise<void> {
  const { messagesPerDay } = quotas;
  if (messagesPerDay === undefined) return;
  const step = Math.max(1, Math.floor(messagesPerDay / SAMPLES));
  const isCounted = Math.random() * step < 1;
  const before = isCounted
    ? (await addToMessageCount(trx, userId, today(), step)) - step
    : sentBefore;
  if (before >= messagesPerDay) throw new AppError('quota_messages');
}

/**
 * Asserts that an upload of `size` bytes fits into the quotas. Called before the upload, to avoid a
 * useless transfer, and again in the write that records it.
 * @throws {AppError} `quota_media` if the account's quota is exceeded, `storage_full` if the total is
 */
export async function assertMediaQuota(
  { quotas }: QuotaConfig,
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

/** Returns the number and the size in bytes of all uploads. */
export function readMediaUsage({
  storage,
}: Pick<Context, 'storage'>): Promise<{ files: number; bytes: number }> {
  return storage.read(readMediaTotals);
}
