import { basename } from 'node:path';
import { longAac, longMp4, longWebm, MARKABLE_RECORDINGS } from '@parley/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changesSince, beginChat, readChatroom, recordEvents, send } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { inspectBytes } from '../../test/inspecting.ts';
import { sample } from '../../test/samples.ts';
import { until } from '../../test/until.ts';
import { listUploadedFiles, upload } from '../../test/uploading.ts';
import { measureRecordings } from './measure-recordings.ts';

let server: TestServer;
let alice: TestUser;
let bob: TestUser;
let chatroomId: string;
beforeEach(async () => {
  server = await startServer();
  [alice, bob] = [await server.signIn('Alice'), await server.signIn('Bob')];
  chatroomId = await beginChat(alice, bob);
});
afterEach(() => server.close());

const PEAKS = [0, 12, 100, 55];

async function uploadVoice(fields?: Record<string, string>): Promise<string> {
  const response = await upload(alice, 'audio', sample('voice.webm'), {
    ...(fields && { fields }),
  });
  expect(response.status).toBe(201);
  return response.body.url;
}

describe('recordings', () => {
  test('have a duration and a waveform wherever their messages appear', async () => {
    const events = recordEvents(server);
    const url = await uploadVoice({ peaks: JSON.stringify(PEAKS) });
    const message = await send(alice, chatroomId, url);
    expect(message.media).toEqual({ duration: expect.any(Number), peaks: PEAKS });
    expect(message.media?.duration).toBeGreaterThan(300);
    expect(message.media?.duration).toBeLessThan(900);
    expect((await readChatroom(bob, chatroomId)).chatroomMessages.at(-1)).toEqual(message);
    const changes = await changesSince(bob, { [chatroomId]: message.rev - 1 });
    expect(changes.rooms[0]?.updated).toEqual([message]);
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'message-sent',
        message: { ...message, content: { file: basename(url) } },
      }),
    );
  });

  test('have a duration even without a waveform', async () => {
    const message = await send(alice, chatroomId, await uploadVoice());
    expect(message.media).toEqual({ duration: expect.any(Number) });
  });

  test.each([
    ['invalid JSON', 'loud'],
    ['an object', '{"0":1}'],
    ['an empty list', '[]'],
    ['too many bars', JSON.stringify(Array.from({ length: 65 }, () => 1))],
    ['a bar above 100', '[101]'],
    ['a bar below zero', '[-1]'],
    ['a fractional bar', '[0.5]'],
    ['a bar that is a string', '["1"]'],
  ])('are rejected with %s as peaks', async (_, peaks) => {
    const response = await upload(alice, 'audio', sample('voice.webm'), { fields: { peaks } });
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await listUploadedFiles(server)).toEqual([]);
  });
});

describe('the duration limit of recordings', () => {
  test.each([
    ['WebM', longWebm(12)],
    ['WebM with constant timestamps', longWebm(12, { hasTimestamps: false })],
    ['MP4 with durations of zero', longMp4(12)],
    ['AAC', longAac(12)],
  ])('rejects a recording of twelve hours in %s', async (_, bytes) => {
    expect(bytes.length).toBeLessThan(5 * 1024 * 1024);
    const response = await upload(alice, 'audio', bytes);
    expect(response).toMatchObject({ status: 413, body: { code: 'recording_too_long' } });
    expect(await listUploadedFiles(server)).toEqual([]);
  });

  test.each([
    ['WebM', longWebm(1.9)],
    ['AAC', longAac(1.9)],
    ['MP4', longMp4(1.9)],
  ])('accepts a recording in %s just below two hours', async (_, bytes) => {
    const found = await inspectBytes(bytes);
    expect(found?.durationMs).toBeGreaterThan(1.85 * 3_600_000);
    expect(found?.durationMs).toBeLessThan(1.95 * 3_600_000);
  });
});

test('measures recordings of older versions once and skips unreadable ones', async () => {
  const url = await uploadVoice({ peaks: JSON.stringify(PEAKS) });
  const broken = await uploadVoice();
  await server.ctx.storage.write(({ trx }) =>
    trx.updateTable('media').set({ duration_ms: null, peaks: null }).execute(),
  );
  await server.ctx.storage.write(({ trx }) =>
    trx
      .updateTable('media')
      .set({ file: '00000000-0000-4000-8000-000000000000.webm' })
      .where('file', '=', broken.split('/').at(-1) ?? '')
      .execute(),
  );
  await measureRecordings(server.ctx, new AbortController().signal);
  const rows = await server.ctx.storage.read((db) =>
    db.selectFrom('media').select('duration_ms').orderBy('id').execute(),
  );
  expect(rows).toEqual([{ duration_ms: expect.any(Number) }, { duration_ms: 0 }]);
  const message = await send(alice, chatroomId, url);
  expect(message.media?.duration).toBeGreaterThan(300);
});

test('measures recordings of older versions after the start', async () => {
  await uploadVoice();
  await server.ctx.storage.write(({ trx }) =>
    trx.updateTable('media').set({ duration_ms: null }).execute(),
  );
  server = await server.restart();
  await until(async () => {
    const row = await server.ctx.storage.read((db) =>
      db.selectFrom('media').select('duration_ms').executeTakeFirst(),
    );
    return (row?.duration_ms ?? 0) > 0;
  });
});

test.each(Object.entries(MARKABLE_RECORDINGS))(
  'determines the duration of %s from its audio',
  async (_, recording) => {
    const response = await upload(alice, 'audio', recording.build(new Set(recording.places)));
    const message = await send(alice, chatroomId, response.body.url);
    expect(message.media).toEqual({ duration: recording.durationMs });
  },
);
