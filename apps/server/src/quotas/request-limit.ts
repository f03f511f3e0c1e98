import type { Config } from '../config.ts';
import type { Writer } from '../storage/storage.ts';
import { AppError } from '../errors/app-error.ts';
import { incrementRequestCounts } from './quota.repository.ts';

const HOUR = 60 * 60 * 1000;

/** Messages, edits and reactions of an account per clock hour in chats whose partner has not accepted it. */
const MESSAGES_MAX = 60;
/** Users whom an account can write to for the first time per clock hour. */
const ROOMS_MAX = 20;

/**
 * Counts a message to a user who has not accepted the sender, or a change that this user sees. Runs in the write
 * that makes it, so what is rejected is not counted. A block must not change the result.
 * @throws {AppError} `rate_limited` until the next hour
 */
export async function consumeRequestLimit(
  { rateLimits }: Pick<Config, 'rateLimits'>,
  trx: Writer,
  userId: string,
  isNewChatroom = false,
): Promise<void> {
  if (!rateLimits) return;
  const now = Date.now();
  const hour = Math.floor(now / HOUR);
  const { messages, rooms } = await incrementRequestCounts(
    trx,
    userId,
    hour,
    isNewChatroom ? 1 : 0,
  );
  if (messages > MESSAGES_MAX || rooms > ROOMS_MAX) {
    throw new AppError('rate_limited', { retryAfter: ((hour + 1) * HOUR - now) / 1000 });
  }
}
