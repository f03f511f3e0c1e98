import { UI } from '@parley/contract';
import { answerJob } from './answer-job.ts';
import { inBatches } from './in-batches.ts';
import { openLive } from './raw-live-connection.ts';
import type { SeededPair } from './seed.ts';

/** The pairs of which one member types and the other one is told. */
export interface TypingJob {
  readonly url: string;
  readonly pairs: readonly SeededPair[];
}

/**
 * Opens all connections and lets one member of each pair type until the process ends. Resolves once
 * every partner has been told.
 */
async function typeUntilTold({ url, pairs }: TypingJob): Promise<void> {
  const told = new Set<string>();
  const allTold = Promise.withResolvers<void>();

  async function start({ chatroomId, users: [typist, partner] }: SeededPair): Promise<void> {
    await openLive(url, partner.cookie, (packet) => {
      if (packet.startsWith('42["typing",')) told.add(chatroomId);
      if (told.size === pairs.length) allTold.resolve();
    });
    const socket = await openLive(url, typist.cookie);
    const type = (): void => socket.send(`42["typing",{"chatroom":"${chatroomId}"}]`);
    // Not all at the same time.
    setTimeout(() => {
      type();
      setInterval(type, UI.typingInterval);
    }, Math.random() * UI.typingInterval);
  }

  await inBatches(pairs, start);
  await allTold.promise;
}

answerJob((job: TypingJob) => typeUntilTold(job).then(() => 'told'));
