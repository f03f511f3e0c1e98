import type { DeliveredBody } from '@parley/contract';
import type { Context } from '../context.ts';
import type { WriteContext } from '../storage/storage.ts';
import { tellReceipt } from './receipt.service.ts';

/** Records which messages have reached a device. */
export interface DeliveryRecorder {
  /** Resolves once the positions of a user's device are stored. */
  record(userId: string, rooms: DeliveredBody['rooms']): Promise<void>;
}

/** How long positions are gathered, in milliseconds, so that they share a write. */
const GATHER_MS = 100;

/** Number of positions per write, so that other writes do not wait for long. Each may tell a state of a chat. */
const PER_WRITE = 10;

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
    for (let i = 0; i < deliveries.length; i += PER_WRITE) {
      const part = deliveries.slice(i, i + PER_WRITE);
      await storage.write((write) => tellAll(write, part), { isConcurrent: true });
    }
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

async function tellAll(write: WriteContext, deliveries: readonly Delivery[]): Promise<void> {
  for (const { chatroomId, userId, ...receipt } of deliveries) {
    await tellReceipt(write, chatroomId, userId, receipt);
  }
}
