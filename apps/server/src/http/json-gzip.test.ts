import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gzipJson } from './json-gzip.ts';

const currentUserId = randomUUID();
const ids = Array.from({ length: 2_000 }, () => randomUUID());

/** Returns the JSON of a chat list with these previews. */
function chatList(previews: readonly string[]): string {
  return JSON.stringify({
    chatrooms: previews.map((content, i) => ({
      chatId: ids[2 * i],
      rev: i,
      memberRev: i % 7,
      usernames: [`user${i}`],
      isDeletedAccount: false,
      status: 'accepted',
      lastMessage: {
        content,
        sender: i % 2 === 0 ? currentUserId : ids[2 * i + 1],
        kind: 'text',
        seq: i,
      },
      currentUserId,
      timestamps: [new Date(1_700_000_000_000 + i * 1_000_000).toISOString()],
      activeAt: new Date(1_700_000_000_000 + i * 1_000_000).toISOString(),
      unreadMessagesCount: i % 5,
      readSeq: i - (i % 5),
    })),
    currentUsername: 'ada',
    volume: 'middle',
  });
}

const roundTrip = async (json: string) => gunzipSync(await gzipJson(json)).toString();
const gzippedSize = async (json: string) => (await gzipJson(json)).length;

describe('gzipJson', () => {
  test('produces valid gzip', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ depthSize: 'large' }), async (json) => {
        expect(await roundTrip(json)).toBe(json);
      }),
      { numRuns: 500 },
    );
    const list = chatList([
      'Hello',
      '',
      'Grüße, Привет, 你好 🙂',
      '"\\\n',
      ...Array.from({ length: 500 }, String),
    ]);
    expect(await roundTrip(list)).toBe(list);
    for (const json of [
      '',
      '{}',
      '[[]]',
      '""',
      '-1.5e-7',
      '{"currentUserId":12,"a":[true,null]}',
    ]) {
      expect(await roundTrip(json)).toBe(json);
    }
  });

  test('compresses a long chat list to less than half its size', async () => {
    const list = chatList(
      Array.from({ length: 1_000 }, (_, i) => `Shall we meet at ${i} o'clock?`),
    );
    expect(await gzippedSize(list)).toBeLessThan(list.length / 2);
  });

  test('produces the same length whether or not a value repeats another', async () => {
    const secret = 'the password is correct horse battery staple';
    // Has the same characters but does not repeat the secret.
    const other = 'staple battery horse correct is password the';
    const size = (guess: string) => gzippedSize(chatList(['Hello', secret, 'filler', guess]));
    expect(await size(secret)).toBe(await size(other));
    // The length does not change even if the guess resembles the surrounding structure.
    const [resembling, different] = await Promise.all(
      ['","sender":"', '","rednes":"'].map((end) => size(`${secret}${end}`)),
    );
    expect(resembling).toBe(different);
  });
});
