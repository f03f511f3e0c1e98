import type { Recipe } from './recipe.ts';

const CHANGE_TYPES = 'packages/client/src/outbox/changes/change-types.ts';
const CHATROOM_ACTIONS = 'packages/client/src/chatroom-actions.ts';

/** A change that works without a connection: muting a chat for the rest of the century. */
export const changeRecipe: Recipe = {
  name: 'a change that works without a connection',
  edits: [
    {
      file: 'packages/client/src/outbox/changes/hush.ts',
      by: `import { isText } from '../../api/responses.ts';
import { toChat, withSettings } from '../../stores/chat-list.ts';
import { defineChange } from './change.ts';

/** Mutes a chat until a time, ISO 8601. */
export const hush = defineChange<{ until: string }>('hush', {
  what: 'hushing a chat',
  fields: { until: isText },
  target: (chatroomId) => chatroomId,
  send: async ({ api, applyChat }, id, { until: mutedUntil }) => {
    const { chat } = await api.call('changeChatSettings', { params: { id }, body: { mutedUntil } });
    applyChat(toChat(chat));
  },
  applyToChat: (chat, { until: mutedUntil }) =>
    withSettings(chat, { ...chat.settings, mutedUntil }),
});
`,
    },
    {
      file: CHANGE_TYPES,
      text: "import { reaction } from './reaction.ts';",
      by: "import { hush } from './hush.ts';\nimport { reaction } from './reaction.ts';",
    },
    { file: CHANGE_TYPES, text: '  reaction,\n', by: '  reaction,\n  hush,\n' },
    {
      file: CHATROOM_ACTIONS,
      text: "import { reaction } from './outbox/changes/reaction.ts';",
      by: "import { hush } from './outbox/changes/hush.ts';\nimport { reaction } from './outbox/changes/reaction.ts';",
    },
    {
      file: CHATROOM_ACTIONS,
      text: '  unblock: (chatroomId: string) => void;\n',
      by: `  unblock: (chatroomId: string) => void;
  /** Mutes a chat for the rest of the century. */
  hush: (chatroomId: string) => void;
`,
    },
    {
      file: CHATROOM_ACTIONS,
      text: "    unblock: (chatroomId) => decide(chatroomId, 'unblock'),\n",
      by: `    unblock: (chatroomId) => decide(chatroomId, 'unblock'),
    hush: (chatroomId) => change(hush.create(chatroomId, { until: '2099-12-31T23:59:59.000Z' })),
`,
    },
  ],
  tests: [
    {
      file: 'packages/client/test/hush.test.ts',
      by: `import { runServer, serverFromSources } from '@parley/testing';
import { expect, test, vi } from 'vitest';
import { createMemoryStorageArea } from '../src/index.ts';
import { signUp } from './signed-in-client.ts';

test('a chat is hushed at once, also without a server, and for good once it is back', async () => {
  const server = await runServer({ PARLEY_RATE_LIMITS: 'false' }, serverFromSources);
  const [ada] = [await signUp(server, 'Ada'), await signUp(server, 'Bob')];
  const { chatroomId } = await ada.api.call('createChatroom', {
    body: { partnerName: 'Bob', content: 'hello' },
  });
  const area = createMemoryStorageArea();
  const open = () => ada.createClient({ platform: { openStorage: async () => area.open() } });
  const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000 });
  const before = open();
  await until(() => expect(before.chats.getState().chats).toHaveLength(1));
  await server.stop();
  before.hush(chatroomId);
  expect(before.chats.getState().chats).toMatchObject([{ isMuted: true }]);
  await vi.waitFor(async () =>
    expect(await area.open().getAll('outbox')).toMatchObject([{ key: \`hush:\${chatroomId}\` }]),
  );
  before.dispose();
  await server.start();
  const after = open();
  await until(() => expect(after.outbox.getState().changes).toEqual([]));
  await until(() => expect(after.chats.getState().chats).toMatchObject([{ isMuted: true }]));
  after.dispose();
  await server.dispose();
});
`,
    },
  ],
  existingTests: ['packages/client/src/outbox/changes/outbox-changes.test.ts'],
};
