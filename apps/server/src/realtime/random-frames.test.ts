import { randomUUID } from 'node:crypto';
import { clientSignals } from '@parley/contract/schemas';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { connectRaw, openRaw } from '../../test/live.ts';
import { LIVE_LIMITS } from './live-limits.ts';
import { decodeClientPacket } from './packets.ts';

let server: TestServer;
let user: TestUser;
beforeAll(async () => {
  server = await startServer();
  user = await server.signIn('witness');
});
afterAll(() => server.close());

describe('random frames', () => {
  const piece = fc.oneof(
    fc.constantFrom('0', '1', '2', '3', '4', '5', '6', 'b', '/', ',', '-', '[', ']', '{', '}', '"'),
    fc.constantFrom('40', '42', '43', '45', '46', '/a,', '["a"]', '{"sid":"x"}', '["message",{}]'),
    fc.constantFrom(...Object.keys(clientSignals).map((name) => JSON.stringify([name, {}]))),
    fc.nat({ max: 99 }).map(String),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.json(),
  );
  const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
  const frame = fc.oneof({ weight: 6, arbitrary: text }, fc.uint8Array({ maxLength: 200 }));

  test('are decoded or rejected without throwing', () => {
    fc.assert(
      fc.property(text, (sent) => {
        decodeClientPacket(sent);
      }),
      { numRuns: 5_000 },
    );
  });

  test('neither crash the server nor affect other clients, and leave no connections behind', async () => {
    const fuzzer = await server.signIn('fuzzer');
    const witness = await connectRaw(server, user);
    await fc.assert(
      fc.asyncProperty(
        fc.array(frame, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        async (frames, connectFirst) => {
          const raw = await (connectFirst ? connectRaw : openRaw)(server, fuzzer);
          for (const sent of frames) raw.socket.send(sent);
          raw.socket.close();
          await raw.closed;
          const mark = randomUUID();
          server.ctx.events.publish({ type: 'typing', userId: user.id, chatroomId: mark });
          expect(await witness.next()).toContain(mark);
        },
      ),
      { numRuns: 300 },
    );
    // All 20 connections of the user are available again.
    await Promise.all(
      Array.from({ length: LIVE_LIMITS.maxConnectionsPerUser }, () => connectRaw(server, fuzzer)),
    );
    expect(witness.socket.readyState).toBe(witness.socket.OPEN);
    expect(server.log.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
  });
});
