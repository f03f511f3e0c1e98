import { findViolations } from '@parley/testing/layers';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LAYER_RULES } from '../scripts/layers.ts';

const violationsOf = (sources: Record<string, string>) =>
  findViolations(new Map(Object.entries(sources)), LAYER_RULES);

test('finds no violation in the server', () => {
  const cwd = join(import.meta.dirname, '..');
  const script = '../../packages/testing/scripts/check-layers.ts';
  const args = [script, 'src', 'scripts/layers.ts'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test.each([
  [
    'a route that imports a repository',
    'media/media.routes.ts',
    `import { findReadable } from './media.repository.ts';`,
    'media/media.routes.ts imports media/media.repository.ts: routes and commands use services, not repositories',
  ],
  [
    'a command that imports a repository',
    'cli/invite.command.ts',
    `import { x } from '../invitations/invitation.repository.ts';`,
    'cli/invite.command.ts imports invitations/invitation.repository.ts: routes and commands use services, not repositories',
  ],
  [
    'a route that imports the storage',
    'media/media.routes.ts',
    `import type { Reader } from '../storage/storage.ts';`,
    'media/media.routes.ts imports storage/storage.ts: routes use services, not the storage',
  ],
  [
    "a service that imports another feature's repository",
    'chatrooms/chatroom.service.ts',
    `import {\n  listChanges,\n} from '../messages/message.repository.ts';`,
    'chatrooms/chatroom.service.ts imports messages/message.repository.ts: a feature uses another one through its service, not its repository',
  ],
  [
    'a repository that imports a service',
    'mail/mail.repository.ts',
    `import { queueMail } from './mail.service.ts';`,
    'mail/mail.repository.ts imports mail/mail.service.ts: a repository contains queries and does not use services',
  ],
  [
    'a service that makes URLs of uploads',
    'chatrooms/chatroom.service.ts',
    `import { toMessage } from '../messages/message.wire.ts';`,
    'chatrooms/chatroom.service.ts imports messages/message.wire.ts: URLs of uploads are parsed on the way in and made on the way out',
  ],
  [
    'storage that imports a feature',
    'storage/sqlite/free-pages.ts',
    `export * from '../../erasure/erasure.service.ts';`,
    'storage/sqlite/free-pages.ts imports erasure/erasure.service.ts: the storage does not depend on features',
  ],
  [
    'storage that imports a type of a feature',
    'storage/tables/users.table.ts',
    `type Hash = import('../../accounts/password-hasher.ts').Hash;`,
    'storage/tables/users.table.ts imports accounts/password-hasher.ts: the storage does not depend on features',
  ],
  [
    'a feature that depends on the engine',
    'backup/backup.service.ts',
    `import { writeSnapshot } from '../storage/sqlite/snapshot.ts';`,
    'backup/backup.service.ts imports storage/sqlite/snapshot.ts: only the storage depends on its engine',
  ],
  [
    'a feature that opens a database',
    'doctor/data-checks.ts',
    `import SQLite from 'better-sqlite3';`,
    'doctor/data-checks.ts imports better-sqlite3: only the storage depends on its engine',
  ],
  [
    'a service that builds queries',
    'mail/mail.service.ts',
    `import { sql } from 'kysely';`,
    'mail/mail.service.ts imports kysely: only repositories and the storage build queries',
  ],
])('reports %s', (_what, path, source, violation) => {
  expect(violationsOf({ [path]: source })).toContain(violation);
});

test('accepts imports from a route through service and repository to the storage', () => {
  expect(
    violationsOf({
      'media/media.routes.ts': `import { findMedia } from './media.service.ts';`,
      'media/media.service.ts': `import { find } from './media.repository.ts';\nimport { x } from '../quotas/quota.service.ts';`,
      'media/media.repository.ts': `import { sql } from 'kysely';\nimport type { Reader } from '../storage/storage.ts';`,
      'storage/storage.ts': `import type { DomainEvent } from '../domain-events.ts';`,
      'storage/sqlite/open-sqlite.ts': `import SQLite from 'better-sqlite3';\nimport type { Storage } from '../storage.ts';`,
    }),
  ).toEqual([]);
});
