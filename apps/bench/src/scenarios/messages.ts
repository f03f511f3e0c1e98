import { join } from 'node:path';
import { runChild } from '../child.ts';
import type { LoadJob, LoadResult } from '../load.ts';
import type { SeededPair } from '../seed.ts';
import { startMeasuredServer, type MeasuredServer } from '../measured-server.ts';

const BASELINE = join(import.meta.dirname, '../baseline.ts');

/** How many messages to send, and how many of them at the same time. */
export interface LoadSize {
  readonly inFlight: number;
  readonly messages: number;
  readonly texts?: readonly string[];
}

/** Starts a server program and sends messages through it. */
export async function sendThrough(
  program: string,
  env: Record<string, string>,
  pairs: readonly SeededPair[],
  size: LoadSize,
): Promise<LoadResult> {
  return sendThroughSeveral(program, [env], pairs, size);
}

/** Starts a server program once for each environment and sends messages through all of them. */
export async function sendThroughSeveral(
  program: string,
  envs: readonly Record<string, string>[],
  pairs: readonly SeededPair[],
  size: LoadSize,
): Promise<LoadResult> {
  const servers: MeasuredServer[] = [];
  try {
    for (const env of envs) servers.push(await startMeasuredServer(program, env));
    const job: LoadJob = { urls: servers.map(({ url }) => url), pairs, ...size };
    // Warms up the JIT compiler.
    await runChild('load.ts', { ...job, messages: Math.ceil(size.messages / 10) });
    return (await runChild('load.ts', job)).result as LoadResult;
  } finally {
    for (const server of servers) await server.stop();
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
