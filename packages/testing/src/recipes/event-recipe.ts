import type { Recipe } from './recipe.ts';

const CLIENT_PROVIDER = 'packages/renderer/src/client/ClientProvider.tsx';
const EVENT_HANDLERS = 'packages/client/src/sync/event-handlers.ts';
const MEMORY_INVITATIONS = 'packages/memory-server/src/invitations.handlers.ts';

/** A live event: the user created an invitation, which every device of the user shows. */
export const eventRecipe: Recipe = {
  name: 'a live event',
  edits: [
    {
      file: 'packages/contract/src/schemas/live.schemas.ts',
      text: "  'session-ended': {\n",
      by: `  'invitation-created': {
    payload: Type.Object({ note: Type.String({ description: 'The note of the invitation' }) }),
    to: 'user',
    description: 'The user created an invitation.',
  },
  'session-ended': {
`,
    },
    {
      file: 'apps/server/src/domain-events.ts',
      text: '  /** `sessionIds` are public ids,',
      by: `  /** A user created an invitation. */
  | { type: 'invitation-created'; userId: string; note: string }
  /** \`sessionIds\` are public ids,`,
    },
    {
      file: 'apps/server/src/invitations/user-invitation.service.ts',
      text: '    return createInvitation(write, {\n',
      by: `    write.emit({ type: 'invitation-created', userId, note });
    return createInvitation(write, {
`,
    },
    {
      file: 'apps/server/src/realtime/fan-out.ts',
      text: "      case 'sessions-ended':\n",
      by: `      case 'invitation-created':
        return void send([event.userId], 'invitation-created', { note: event.note });
      case 'sessions-ended':
`,
    },
    {
      file: 'apps/server/src/realtime/README.md',
      text: '### `session-ended`\n',
      by: `### \`invitation-created\`

Sent to the user who acted. The user created an invitation.

| field  | type   | description                |
| ------ | ------ | -------------------------- |
| \`note\` | string | The note of the invitation |

### \`session-ended\`
`,
    },
    {
      file: 'apps/server/test/event-cases.ts',
      text: "  'session-ended': {",
      by: `  'invitation-created': {
    ...call('POST', '/api/invitations', () => ({ isSingleUse: true })),
    isCaused: () => true,
  },
  'session-ended': {`,
    },
    {
      file: EVENT_HANDLERS,
      text: '    typing: ({ chatroom }) =>',
      by: `    'invitation-created': ({ note }) => deps.events.onInvitationCreated?.(note),
    typing: ({ chatroom }) =>`,
    },
    {
      file: 'packages/client/src/client-events.ts',
      text: '  /** Called in only one tab',
      by: `  /** Called with the note of an invitation that the user created on any device. */
  onInvitationCreated: (note: string) => void;
  /** Called in only one tab`,
    },
    {
      file: CLIENT_PROVIDER,
      text: 'import { toastError } from',
      by: 'import { toastError, toastSuccess } from',
    },
    {
      file: CLIENT_PROVIDER,
      text: '  const handleChangeFailed =',
      by: `  const handleInvitationCreated = useEffectEvent((note: string) =>
    toastSuccess(t('invite.created', { note })),
  );
  const handleChangeFailed =`,
    },
    {
      file: CLIENT_PROVIDER,
      text: '        onChangeFailed:',
      by: `        onInvitationCreated: (note) => handleInvitationCreated(note),
        onChangeFailed:`,
    },
    {
      file: 'packages/texts/en/screens.json',
      text: '  "invite": {\n',
      by: '  "invite": {\n    "created": "Invitation for {{note}} created.",\n',
    },
    {
      file: 'packages/texts/de/screens.json',
      text: '  "invite": {\n',
      by: '  "invite": {\n    "created": "Einladung für {{note}} erstellt.",\n',
    },
    {
      file: MEMORY_INVITATIONS,
      text: 'import { toTimestamp, type Account,',
      by: 'import { emit, toTimestamp, type Account,',
    },
    {
      file: MEMORY_INVITATIONS,
      text: '    state.invitations.set(id, invitation);\n',
      by: `    state.invitations.set(id, invitation);
    const payload = { note: invitation.note };
    emit(state, [account.id], { name: 'invitation-created', payload });
`,
    },
  ],
  tests: [
    {
      file: 'apps/server/src/invitations/invitation-event.test.ts',
      by: `import { expect, test } from 'vitest';
import { startServer, userAt } from '../../test/harness.ts';
import { connectLive } from '../../test/live.ts';
import { until } from '../../test/until.ts';

test('the devices of the user, and no others, are told of a new invitation', async () => {
  const server = await startServer();
  const [ada, bob] = [await server.signIn('Ada'), await server.signIn('Bob')];
  const phone = userAt(server.url, ada);
  await server.renewSession(phone);
  const lives = await Promise.all([ada, phone, bob].map((user) => connectLive(server, user)));
  const told = () =>
    lives.map(({ events }) => events.filter(([name]) => name === 'invitation-created'));
  const invite = async (note: string) =>
    (await ada.request('POST', '/api/invitations', { isSingleUse: true, note })).status;
  expect(await invite('Choir')).toBe(201);
  // Bob's device receives this event after all earlier ones.
  const settings = { sharesTyping: false };
  server.ctx.events.publish({ type: 'settings-changed', userId: bob.id, settings });
  await until(() => lives[2]?.events.some(([name]) => name === 'settings') === true);
  const event = ['invitation-created', { note: 'Choir' }];
  await expect.poll(told).toEqual([[event], [event], []]);
  await server.close();
});
`,
    },
    {
      file: 'packages/renderer/test/component/invitation-event.test.ts',
      by: `import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { actAs } from './support/act-as.ts';
import { toastWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';

test.each(TEST_LANGUAGES)('an invitation of another device is shown (%s)', async (language) => {
  const t = createTranslator(language);
  const { server } = await openApp({ user: 'Alice', language });
  const body = { isSingleUse: true, note: 'Choir' };
  await actAs(server, 'Alice').call('createInvitation', { body });
  const text = t('invite.created', { note: 'Choir' });
  await expect.element(toastWith(text)).toBeVisible();
});
`,
    },
  ],
  existingTests: [
    'apps/server/src/realtime/event-recipients.test.ts',
    'apps/server/src/realtime/live-protocol.test.ts',
    'packages/client/src/sync/event-handlers.test.ts',
  ],
};
