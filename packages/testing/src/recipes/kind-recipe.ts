import type { Recipe } from './recipe.ts';

const CONTENT = 'packages/contract/src/content.ts';
const MESSAGES_SCHEMAS = 'packages/contract/src/schemas/messages.schemas.ts';
const MESSAGE_BODY = 'apps/server/src/messages/message-body.ts';
const MIGRATIONS = 'apps/server/src/storage/migrations';
const MEMORY_MESSAGES = 'packages/memory-server/src/messages.handlers.ts';
const MESSAGE_KINDS = 'packages/renderer/src/format/message-kinds.ts';
const MESSAGE_CONTENT = 'packages/renderer/src/features/chatroom/messages/MessageContent.tsx';

const CHECK = "check (kind in ('text', 'place', 'image', 'audio'))";

function migration(name: string, messages: readonly string[]): string {
  const statements = [
    ...messages,
    'alter table report_messages drop constraint report_messages_kind',
    `alter table report_messages add constraint report_messages_kind ${CHECK}`,
  ];
  const list = statements.map((statement) => `  \`${statement}\`,\n`).join('');
  return `import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
${list}];

export const ${name}: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
`;
}

/** A kind of message: a place, whose text is a name, and coordinates in the next line. */
export const kindRecipe: Recipe = {
  name: 'a kind of message',
  edits: [
    { file: CONTENT, text: "{ text: 'text', image:", by: "{ text: 'text', place: 'text', image:" },
    {
      file: CONTENT,
      text: '/** Returns the beginning of a text, with',
      by: `/** Returns the name and the coordinates of a place. Undefined if a text is none. */
export function parsePlace(text: string): { name: string; position: string } | undefined {
  const [, name, position] = /^(.+)\\n(-?\\d+(?:\\.\\d+)?,-?\\d+(?:\\.\\d+)?)$/.exec(text) ?? [];
  return name === undefined || position === undefined ? undefined : { name, position };
}

/** Returns the beginning of a text, with`,
    },
    {
      file: MESSAGES_SCHEMAS,
      text: "    '`text`, `image` or `audio`.",
      by: "    '`text`, `place`, `image` or `audio`.",
    },
    {
      file: MESSAGES_SCHEMAS,
      text: "Type.Union([Type.Literal('image'), Type.Literal('audio')], {",
      by: "Type.Union([Type.Literal('place'), Type.Literal('image'), Type.Literal('audio')], {",
    },
    {
      file: MESSAGE_BODY,
      text: 'import { cleanText, isSendable, type',
      by: 'import { cleanText, isSendable, parsePlace, type',
    },
    {
      file: MESSAGE_BODY,
      text: "{ content, uploadId }: Pick<SendBody, 'content' | 'uploadId'>",
      by: "{ content, uploadId, kind }: Pick<SendBody, 'content' | 'uploadId' | 'kind'>",
    },
    {
      file: MESSAGE_BODY,
      text: '  const text = parseText(content);\n',
      by: `  const text = parseText(content);
  if (kind === 'place') {
    if (parsePlace(text) === undefined) throw new AppError('invalid_request');
    return { uploadId: undefined, text, textKind: kind };
  }
`,
    },
    {
      file: `${MIGRATIONS}/800-places.ts`,
      // The constraint of this column has no name.
      by: migration('places', [
        'alter table messages rename column kind to old_kind',
        `alter table messages add column kind text not null default 'text' constraint messages_kind ${CHECK}`,
        'update messages set kind = old_kind',
        'alter table messages drop column old_kind',
      ]),
    },
    {
      file: `${MIGRATIONS}/800-places.postgres.ts`,
      by: migration('postgresPlaces', [
        "alter table messages alter column kind set default 'text'",
        'alter table messages drop constraint messages_kind',
        `alter table messages add constraint messages_kind ${CHECK}`,
      ]),
    },
    {
      file: `${MIGRATIONS}/index.ts`,
      text: 'import { postgresBaseline }',
      by: `import { places } from './800-places.ts';
import { postgresPlaces } from './800-places.postgres.ts';
import { postgresBaseline }`,
    },
    {
      file: `${MIGRATIONS}/index.ts`,
      text: '};\n\n/**\n * The migrations of PostgreSQL',
      by: "  '800-places': places,\n};\n\n/**\n * The migrations of PostgreSQL",
    },
    {
      file: `${MIGRATIONS}/index.ts`,
      text: 'export const postgresMigrations: Migrations = {',
      by: "export const postgresMigrations: Migrations = { '800-places': postgresPlaces,",
    },
    {
      file: MEMORY_MESSAGES,
      text: '  LIMITS,\n  type Message,\n',
      by: '  LIMITS,\n  parsePlace,\n  type Message,\n',
    },
    {
      file: MEMORY_MESSAGES,
      text: "{ content, uploadId }: Pick<SendBody, 'content' | 'uploadId'>",
      by: "{ content, uploadId, kind }: Pick<SendBody, 'content' | 'uploadId' | 'kind'>",
    },
    {
      file: MEMORY_MESSAGES,
      text: '  const text = parseText(content);\n',
      by: `  const text = parseText(content);
  if (kind === 'place') {
    if (parsePlace(text) === undefined) throw new Refusal('invalid_request');
    return { uploadId: undefined, text };
  }
`,
    },
    {
      file: MEMORY_MESSAGES,
      text: "  const content = upload ? '' : text;\n",
      by: `  const content = upload ? '' : text;
  const textKind = content !== undefined && body.kind === 'place' ? body.kind : state.textKind;
  const sentKind = upload?.kind ?? textKind;
`,
    },
    {
      file: MEMORY_MESSAGES,
      text: 'upload?.kind !== body.kind',
      by: 'sentKind !== body.kind',
    },
    {
      file: MEMORY_MESSAGES,
      text: '    kind: upload?.kind ?? state.textKind,\n',
      by: '    kind: sentKind,\n',
    },
    {
      file: MESSAGE_KINDS,
      text: "{ readonly shape: 'text' } |",
      by: "{ readonly shape: 'text' | 'place' } |",
    },
    {
      file: MESSAGE_KINDS,
      text: "  text: { shape: 'text' },\n",
      by: "  text: { shape: 'text' },\n  place: { shape: 'place' },\n",
    },
    {
      file: MESSAGE_CONTENT,
      text: "import type { Message } from '@parley/contract';",
      by: "import { parsePlace, type Message } from '@parley/contract';",
    },
    {
      file: MESSAGE_CONTENT,
      text: "  if (view.shape === 'text') {\n",
      by: `  const place = view.shape === 'place' && !props.isHidden ? parsePlace(content) : undefined;
  if (place) {
    const map = \`https://www.openstreetmap.org/search?query=\${place.position}\`;
    return (
      <>
        <MessageText text={place.name} emojiCount={0}>
          {null}
        </MessageText>
        <a href={map} target="_blank" rel="noopener noreferrer nofollow">
          {t('message.showPlace')}
        </a>
        {children}
      </>
    );
  }
  if (view.shape !== 'media') {
`,
    },
    {
      file: 'packages/texts/en/screens.json',
      text: '    "newerKind":',
      by: '    "showPlace": "Show on a map",\n    "newerKind":',
    },
    {
      file: 'packages/texts/de/screens.json',
      text: '    "newerKind":',
      by: '    "showPlace": "Auf der Karte zeigen",\n    "newerKind":',
    },
  ],
  tests: [
    {
      file: 'apps/server/src/messages/place.test.ts',
      by: `import { expect, test } from 'vitest';
import { createPair, openChatList, readChatroom } from '../../test/chatting.ts';
import { startServer } from '../../test/harness.ts';
import { connectLive } from '../../test/live.ts';
import { until } from '../../test/until.ts';

const content = 'Brandenburg Gate\\n52.5163,13.3777';

test('a place is stored, and the partner receives, finds and reports it', async () => {
  const server = await startServer();
  const { ada, bob, room } = await createPair(server);
  const { events } = await connectLive(server, bob);
  const send = (body: object) =>
    ada.request('POST', '/api/messages/send', { chatroom: room, kind: 'place', ...body });
  const { status, body: sent } = await send({ content });
  expect({ status, sent }).toMatchObject({ status: 201, sent: { kind: 'place', content } });
  await until(() => events.some(([name]) => name === 'message'));
  expect(events.find(([name]) => name === 'message')?.[1]).toMatchObject({ kind: 'place', content });
  const stored = await server.ctx.storage.read((db) =>
    db.selectFrom('messages').select(['kind', 'content']).where('id', '=', sent._id).execute(),
  );
  expect(stored).toEqual([{ kind: 'place', content }]);
  const { chatroomMessages } = await readChatroom(bob, room);
  expect(chatroomMessages.at(-1)).toMatchObject({ kind: 'place', content });
  expect((await openChatList(bob))[0]).toMatchObject({ lastMessage: { kind: 'place' } });
  const found = await bob.request('POST', '/api/messages/search', { query: 'brandenburg' });
  expect(found.body.hits).toMatchObject([{ message: { _id: sent._id } }]);
  const report = { chatroom: room, messageIds: [sent._id], reason: 'other' };
  expect((await bob.request('POST', '/api/reports', report)).status).toBe(201);
  await server.close();
});

test('what is no place is refused, and a place cannot be edited', async () => {
  const server = await startServer();
  const { ada, room } = await createPair(server);
  const send = (body: object) =>
    ada.request('POST', '/api/messages/send', { chatroom: room, kind: 'place', ...body });
  const refusal = { status: 400, body: { code: 'invalid_request' } };
  expect(await send({ content: 'Brandenburg Gate' })).toMatchObject(refusal);
  expect(await send({ uploadId: crypto.randomUUID() })).toMatchObject({ status: 404 });
  const { body } = await send({ content });
  const edit = { messageId: body._id, content: 'Berlin' };
  expect(await ada.request('PATCH', '/api/messages/edit', edit)).toMatchObject({
    status: 400,
    body: { code: 'media_not_editable' },
  });
  await server.close();
});
`,
    },
    {
      file: 'packages/renderer/test/component/place.test.ts',
      by: `import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { actAs } from './support/act-as.ts';
import { chatRowOf, messageWith } from './support/locators.ts';
import { openChatOf } from './support/open-chat-of.ts';

const content = 'Brandenburg Gate\\n52.5163,13.3777';
const MAP = 'https://www.openstreetmap.org/search?query=52.5163,13.3777';

test.each(TEST_LANGUAGES)('a place is shown with a link to a map (%s)', async (language) => {
  const t = createTranslator(language);
  const { server, room, reload } = await openChatOf('Bob', { language });
  const body = { chatroom: room, kind: 'place', content } as const;
  await actAs(server, 'Alice').call('sendMessage', { body });
  const link = messageWith('Brandenburg Gate').getByRole('link', { name: t('message.showPlace') });
  await expect.element(link).toHaveAttribute('href', MAP);
  await expect.element(page.getByText(t('message.newerKind'))).not.toBeInTheDocument();
  await reload('/chatarea');
  const preview = 'Brandenburg Gate 52.5163,13.3777';
  await expect.element(chatRowOf('Alice')).toMatchTextContent(preview);
});
`,
    },
  ],
  existingTests: [
    'apps/server/src/storage/schema-parity.test.ts',
    'apps/server/src/storage/sqlite/upgrade.test.ts',
    'packages/memory-server/test/api-conformance.test.ts',
  ],
};
