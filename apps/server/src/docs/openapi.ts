import { endpoints } from '@parley/contract';
import type { Tag } from '@parley/contract/schemas';
import fastifySwagger, { type SwaggerTransform } from '@fastify/swagger';
import type { App } from '../context.ts';
import { SESSION_COOKIE } from '../plugins/current-session.ts';
import { VERSION } from '../version.ts';
import { DOCS_PATH } from './docs-files.ts';

const DESCRIPTION = `
The HTTP API between Parley's clients and server. Register, verify the email address and log in: the
response sets a session cookie, which all endpoints except the public ones require.

- Requests that change something are rejected if a page of another site sends them.
- Errors are \`{ errorMessage, code }\`: a sentence in the language of \`Accept-Language\` and a stable
  code.
- Times are ISO 8601 in UTC, ids are UUIDs.
- New messages, edits and deletions arrive over the [live connection](${DOCS_PATH}/live-connection.md).
`.trim();

const TAGS = {
  accounts: 'Registration, passwords, settings and account deletion',
  sessions: 'Login, logout and the list of sessions',
  chatrooms: 'Finding users, the chat list, message history and resync',
  messages: 'Sending, editing and deleting messages',
  invitations: 'Invitation links of users',
  notifications: 'Push subscriptions of browsers and the settings of notifications',
  exports: 'Archives with the data of a user',
  reports: 'Reporting users to the operator',
  media: 'Images and audio recordings',
  avatars: 'Robot avatars',
  emoji: 'Emoji images',
  server: 'Health, version and configuration of the server',
} satisfies Record<Tag, string>;

/** Collects the schemas of all routes. Call it before registering routes. */
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
