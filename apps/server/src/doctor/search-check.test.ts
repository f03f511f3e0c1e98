import { expect, test } from 'vitest';
import { beginChat } from '../../test/chatting.ts';
import { startServer } from '../../test/harness.ts';
import { checkSearch } from './search-check.ts';

test('warns if many messages wait for the search index', async () => {
  const server = await startServer();
  const { storage } = server.ctx;
  const room = await beginChat(await server.signIn('ada'), await server.signIn('bob'));
  expect(await checkSearch(storage)).toMatchObject({
    outcome: 'ok',
    message: 'the index is up to date',
  });
  // Ends the job that indexes messages.
  await server.app.close();
  const setLastSeq = (seq: number) =>
    storage.write(({ trx }) =>
      trx.updateTable('chatrooms').set({ last_seq: seq }).where('id', '=', room).execute(),
    );
  await setLastSeq(70);
  expect(await checkSearch(storage)).toMatchObject({
    outcome: 'ok',
    message: 'messages that wait for the index: 64',
  });
  await setLastSeq(20_010);
  expect(await checkSearch(storage)).toMatchObject({
    outcome: 'warning',
    message: expect.stringMatching(/^20000 messages wait/),
  });
  await server.close();
});
