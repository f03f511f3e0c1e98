import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runServer, serverFromSources } from '@parley/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findLoadedChatroom, type Client } from '../src/index.ts';
import { ACCOUNT_PASSWORD, signUp } from './signed-in-client.ts';

type StartEchoBot = (
  origin: string,
  account: { email: string; username: string; password: string },
) => Promise<Client>;

test('the bot of the README responds to messages', async () => {
  const startEchoBot = await loadReadmeBot();
  const server = await runServer({ PARLEY_RATE_LIMITS: 'false' }, serverFromSources);
  onTestFinished(() => server.dispose());
  const ada = await signUp(server, 'Ada');
  await signUp(server, 'Echo');
  const bot = await startEchoBot(server.url, {
    email: 'echo@example.org',
    username: 'Echo',
    password: ACCOUNT_PASSWORD,
  });
  onTestFinished(() => bot.dispose());
  await vi.waitFor(() => expect(bot.connection.getState().status).toBe('online'), 60_000);

  const { chatroomId } = await ada.api.call('createChatroom', {
    body: { partnerName: 'Echo', content: 'hello' },
  });
  const client = ada.createClient();
  onTestFinished(() => client.dispose());
  await client.open(chatroomId);
  const texts = () =>
    findLoadedChatroom(client.rooms.getState(), chatroomId)?.messages.map(({ content }) => content);
  await vi.waitFor(() => expect(texts()).toEqual(['hello', 'You said: hello']), 60_000);
  client.send(chatroomId, 'and again');
  await vi.waitFor(() => expect(texts()?.at(-1)).toBe('You said: and again'), 60_000);
});

/** Loads the code block of the README as a module of this package. */
async function loadReadmeBot(): Promise<StartEchoBot> {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');
  const code = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? '';
  const folder = await mkdtemp(join(import.meta.dirname, 'bot-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'bot.ts');
  await writeFile(file, code.replace("'@parley/client'", "'../../src/index.ts'"));
  const module: { startEchoBot: StartEchoBot } = await import(file);
  return module.startEchoBot;
}
