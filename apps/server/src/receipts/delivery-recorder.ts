import type { DeliveredBody } from '@parley/contract';
import type { Context } from '../context.ts';
import { tellReceipt } from './receipt.service.ts';

/** Records which messages have reached a device. */
export interface DeliveryRecorder {
  /** Resolves once the positions of a user's device are stored. */
  record(userId: string, rooms: DeliveredBody['rooms']): Promise<void>;
}

/** How long positions are gathered, in milliseconds, so that they share a write. */
const GATHER_MS = 100;

interface Delivery {
  readonly chatroomId: string;
  readonly userId: string;
  readonly deliveredSeq: number;
}

/** Creates a recorder. */
export function createDeliveryRecorder({ storage }: Pick<Context, 'storage'>): DeliveryRecorder {
  let gathered = new Map<string, Delivery>();
  let writing: Promise<void> | undefined;

  async function writeGathered(): Promise<void> {
    await new Promise((resolve) => {
      setTimeout(resolve, GATHER_MS);
    });
    // In the order of their rows, so that the writes of two servers do not wait for each other.
    const deliveries = [...gathered]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, delivery]) => delivery);
    gathered = new Map();
    writing = undefined;
    await storage.write(
      async (write) => {
        for (const { chatroomId, userId, ...receipt } of deliveries) {
          await tellReceipt(write, chatroomId, userId, receipt);
        }
      },
      { isConcurrent: true },
    );
  }

  return {
    record(userId, rooms) {
      for (const [chatroomId, seq] of Object.entries(rooms)) {
        const key = `${chatroomId}:${userId}`;
        const deliveredSeq = Math.max(seq, gathered.get(key)?.deliveredSeq ?? 0);
        gathered.set(key, { chatroomId, userId, deliveredSeq });
      }
      writing ??= writeGathered();
      return writing;
    },
  };
}
