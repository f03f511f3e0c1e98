import { join } from 'node:path';
import { runChild } from '../child.ts';
import type { LoadJob, LoadResult } from '../load.ts';
import type { SeededPair } from '../seed.ts';
import { startMeasuredServer } from '../measured-server.ts';

const BASELINE = join(import.meta.dirname, '../baseline.ts');

/** How many messages to send, and how many of them at the same time. */
export interface LoadSize {
  readonly inFlight: number;
  readonly messages: number;
}

/** Starts a server program and sends messages through it. */
export async function sendThrough(
  program: string,
  env: Record<string, string>,
  pairs: readonly SeededPair[],
  { inFlight, messages }: LoadSize,
): Promise<LoadResult> {
  const server = await startMeasuredServer(program, env);
  try {
    const job: LoadJob = { url: server.url, pairs, inFlight, messages };
    // Warms up the JIT compiler.
    await runChild('load.ts', { ...job, messages: Math.ceil(messages / 10) });
    return (await runChild('load.ts', job)).result as LoadResult;
  } finally {
    await server.stop();
  }
}

/**
 * Sends messages through the baseline server. It has no sessions: the cookie is the chatroom's id.
 */
export async function sendThroughBaseline(
  env: Record<string, string>,
  pairs: readonly SeededPair[],
  size: LoadSize,
): Promise<LoadResult> {
  const baselinePairs = pairs.map(({ chatroomId, users: [sender, partner] }): SeededPair => ({
    chatroomId,
    users: [
      { ...sender, cookie: chatroomId },
      { ...partner, cookie: chatroomId },
    ],
  }));
  return await sendThrough(BASELINE, env, baselinePairs, size);
}
