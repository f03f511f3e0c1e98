import { endpoints } from '@parley/contract';
import type { Tag } from '@parley/contract/schemas';
import fastifySwagger, { type SwaggerTransform } from '@fastify/swagger';
import type { App } from '../context.ts';
import { SESSION_COOKIE } from '../plugins/current-session.ts';
import { VERSION } from '../version.ts';
import { DOCS_PATH } from './docs-files.ts';

const DESCRIPTION = `
Everything that a client of Parley asks its server for. Register, confirm the mail address, sign in:
the answer sets a session cookie, which all routes but the public ones need.

- What changes something is refused if it comes from another site's page.
- Every refusal is \`{ errorMessage, code }\`: a sentence in the language that \`Accept-Language\` asks
  for, and a code that stays the same.
- Times are ISO 8601 in UTC, ids are UUIDs.
- New messages, edits and deletions arrive over the [live connection](${DOCS_PATH}/live-connection.md).
`.trim();

const TAGS = {
  accounts: 'Registering, passwords, settings, deleting an account',
  sessions: 'Signing in and out, and the devices that are signed in',
  chatrooms: 'Finding people, chats, their pages, and catching up',
  messages: 'Sending, editing and deleting',
  media: 'Pictures and recordings',
  avatars: 'Robots',
  emoji: 'Emoji pictures',
  server: 'What this server is',
} satisfies Record<Tag, string>;

/** Collects the schemas of all routes that are registered after it. */
export async function registerOpenApi(app: App): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Parley', version: VERSION, description: DESCRIPTION },
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
        },
      },
    },
    transform: describeRoute,
  });
}

const describeRoute: SwaggerTransform = ({ schema, url, route }) => {
  const name = route.config?.endpoint ?? undefined;
  const isForUsers = name !== undefined && endpoints[name].access === 'user';
  return { url, schema: { ...schema, ...(isForUsers && { security: [{ session: [] }] }) } };
};
