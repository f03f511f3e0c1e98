import { createHash } from 'node:crypto';
import type { Context } from '../context.ts';
import { encryptPush, type SubscriptionKeys } from './push-encryption.ts';
import type { PushOutcome, PushTransport } from './push-transport.ts';
import { EXPIRES_AFTER } from './push-times.ts';
import type { Vapid } from './vapid.ts';

/** Delivers notifications to the push services of devices. */
export interface PushDelivery {
  /** Sends a message to a device. Never rejects. */
  deliver(message: PushMessage, canceled?: AbortSignal): Promise<PushOutcome>;
}

/** A message to a device. */
export interface PushMessage {
  readonly endpoint: string;
  readonly keys: SubscriptionKeys;
  readonly json: Buffer;
  /** A push service that still has a message with the same topic replaces it. */
  readonly topic: string;
  /** Whether a device that saves power is woken up. */
  readonly isUrgent: boolean;
}

/** Creates a delivery. */
export function createPushDelivery(
  transport: PushTransport,
  vapid: Vapid,
  metrics: Pick<Context['metrics'], 'recordPush'>,
): PushDelivery {
  return {
    async deliver({ endpoint, keys, json, topic, isUrgent }, canceled) {
      const headers = {
        authorization: vapid.authorize(new URL(endpoint)),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(EXPIRES_AFTER / 1000),
        topic,
        urgency: isUrgent ? 'high' : 'normal',
      };
      const body = encryptPush(json, keys);
      const outcome = await transport.send({ endpoint, headers, body }, canceled);
      metrics.recordPush(outcome.result);
      return outcome;
    },
  };
}

/**
 * Returns the topic of a notification on a device: 32 characters by which a push service cannot recognize
 * the chatroom on other devices.
 */
export function createTopic(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join(':')).digest('base64url').slice(0, 32);
}
