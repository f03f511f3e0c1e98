import { join } from 'node:path';
import { ask } from '../child.ts';
import type { LoadJob, LoadResult } from '../load.ts';
import type { SeededPair } from '../seed.ts';
import { startServer } from '../measured-server.ts';

const BASELINE = join(import.meta.dirname, '../baseline.ts');

/** How much is sent, and how. */
export interface Volume {
  readonly inFlight: number;
  readonly messages: number;
}

/** Sends through a server program that is started for it. */
export async function sendThrough(
  main: string,
  env: Record<string, string>,
  pairs: readonly SeededPair[],
  { inFlight, messages }: Volume,
): Promise<LoadResult> {
  const server = await startServer(main, env);
  try {
    const job: LoadJob = { url: server.url, pairs, inFlight, messages };
    // The first tenth warms the compiler up and is not counted.
    await ask('load.ts', { ...job, messages: Math.ceil(messages / 10) });
    return (await ask('load.ts', job)).answer as LoadResult;
  } finally {
    await server.stop();
  }
}

/** The same through the bare route. It knows no sessions: there, the room stands in for the cookie. */
export async function sendThroughBaseline(
  env: Record<string, string>,
  pairs: readonly SeededPair[],
  volume: Volume,
): Promise<LoadResult> {
  const bare = pairs.map(({ room, users: [sender, partner] }): SeededPair => ({
    room,
    users: [
      { ...sender, cookie: room },
      { ...partner, cookie: room },
    ],
  }));
  return await sendThrough(BASELINE, env, bare, volume);
}
