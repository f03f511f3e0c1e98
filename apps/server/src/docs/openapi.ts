import fastifySwagger, { type SwaggerTransform } from '@fastify/swagger';
import type { App } from '../context.ts';
import { SESSION_COOKIE } from '../plugins/session.ts';
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
  server: 'What this server is',
};

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

/** What clients use; the rest is for operators and browsers. */
const FOR_CLIENTS = /^\/(?:api|media)\//;

const describeRoute: SwaggerTransform = ({ schema, url, route }) => {
  if (!FOR_CLIENTS.test(url)) return { url, schema: { ...schema, hide: true } };
  const isPublic = route.config?.access === 'public';
  return { url, schema: { ...schema, ...(!isPublic && { security: [{ session: [] }] }) } };
};
