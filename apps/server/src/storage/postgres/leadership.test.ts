import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startPostgresProxy } from '../../../test/postgres-proxy.ts';
import { IS_ON_POSTGRES, TERMINATE_LEADER } from '../../../test/server-group.ts';
import { acquireTestDatabase, runOn, type TestDatabase } from '../../../test/test-database.ts';
import { until } from '../../../test/until.ts';
import type { Job } from '../cluster.ts';
import { leadJob } from './leadership.ts';
import { connectionConfig } from './postgres-connection.ts';

/** What happened to the job of a candidate. */
interface Candidate {
  events: string[];
  stop: () => Promise<void>;
}

describe.skipIf(!IS_ON_POSTGRES)('the leader of a database', () => {
  let database: TestDatabase;
  let candidates: Candidate[];
  /** Number of jobs that run now, and the maximum of it. */
  let running: number;
  let runningMax: number;

  beforeEach(async () => {
    database = (await acquireTestDatabase()) ?? expect.fail();
    candidates = [];
    [running, runningMax] = [0, 0];
  });
  afterEach(async () => {
    await Promise.all(candidates.map(({ stop }) => stop()));
    await database.release();
  });

  function addCandidate(
    url = database.url,
    checks?: { interval: number; timeout: number },
  ): Candidate {
    const events: string[] = [];
    const run: Job = async (signal, closing) => {
      runningMax = Math.max(runningMax, ++running);
      events.push('started');
      if (!signal.aborted) await once(signal, 'abort');
      events.push(closing.aborted ? 'closing' : 'lost');
      running -= 1;
    };
    const stop = leadJob(connectionConfig(url), run, checks);
    const candidate = { events, stop };
    candidates.push(candidate);
    return candidate;
  }

  const findLeader = () =>
    until(() => candidates.find(({ events }) => events.at(-1) === 'started'));

  test('is only one, and another one follows when it stops', async () => {
    for (let i = 0; i < 3; i += 1) addCandidate();
    const leaders = new Set<Candidate>();
    for (let i = 0; i < 3; i += 1) {
      const leader = await findLeader();
      leaders.add(leader);
      await leader.stop();
      expect(leader.events).toEqual(['started', 'closing']);
    }
    expect(leaders.size).toBe(3);
    expect(runningMax).toBe(1);
  });

  test('stops its job when its connection is lost, and seeks leadership again', async () => {
    const only = addCandidate();
    await findLeader();
    await runOn(database.url, TERMINATE_LEADER);
    await until(() => only.events.length === 3);
    expect(only.events).toEqual(['started', 'lost', 'started']);
  });

  test('stops its job when its connection falls silent', async () => {
    const proxy = await startPostgresProxy(database.url);
    const silent = addCandidate(proxy.url, { interval: 10, timeout: 1_000 });
    await findLeader();
    proxy.freeze();
    await until(() => silent.events.at(-1) === 'lost');
    const next = addCandidate();
    await until(() => next.events.length === 1);
    await proxy.close();
  });

  test('can stop while another one leads', async () => {
    addCandidate();
    const leader = await findLeader();
    const waiting = addCandidate();
    await waiting.stop();
    expect(waiting.events).toEqual([]);
    expect(leader.events).toEqual(['started']);
  });
});
