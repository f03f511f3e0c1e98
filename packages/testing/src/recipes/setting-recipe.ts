import type { Recipe } from './recipe.ts';

const MIGRATIONS = 'apps/server/src/storage/migrations';

function migration(name: string, type: string): string {
  return `import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const ${name}: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table users add column shares_mood ${type} not null default 0').execute(db);
  },
};
`;
}

/** A setting of an account: whether partners see the user's mood. */
export const settingRecipe: Recipe = {
  name: 'a setting of an account',
  edits: [
    {
      file: 'packages/contract/src/schemas/account-settings.schemas.ts',
      text: 'export const ACCOUNT_SETTINGS = {\n',
      by: `export const ACCOUNT_SETTINGS = {
  sharesMood: setting(Type.Boolean({ description: 'Whether partners see the mood' }), false),
`,
    },
    {
      file: 'apps/server/src/storage/table-columns.ts',
      text: "    shares_typing: 'integer',\n",
      by: "    shares_typing: 'integer',\n    shares_mood: 'integer',\n",
    },
    { file: `${MIGRATIONS}/900-mood.ts`, by: migration('mood', 'integer') },
    { file: `${MIGRATIONS}/900-mood.postgres.ts`, by: migration('postgresMood', 'bigint') },
    {
      file: `${MIGRATIONS}/index.ts`,
      text: 'import { postgresBaseline }',
      by: `import { mood } from './900-mood.ts';
import { postgresMood } from './900-mood.postgres.ts';
import { postgresBaseline }`,
    },
    {
      file: `${MIGRATIONS}/index.ts`,
      text: 'export const migrations: Migrations = {',
      by: "export const migrations: Migrations = { '900-mood': mood,",
    },
    {
      file: `${MIGRATIONS}/index.ts`,
      text: 'export const postgresMigrations: Migrations = {',
      by: "export const postgresMigrations: Migrations = { '900-mood': postgresMood,",
    },
    {
      file: 'packages/renderer/src/features/settings/SharingSection.tsx',
      text: "'sharesPresence'] as const",
      by: "'sharesPresence', 'sharesMood'] as const",
    },
    ...['en', 'de'].map((language) => ({
      file: `packages/texts/${language}/settings.json`,
      text: '    "sharesTyping":',
      by: '    "sharesMood": "My mood",\n    "sharesMoodHelp": "Shown below my name.",\n    "sharesTyping":',
    })),
  ],
  tests: [
    {
      file: 'apps/server/src/accounts/mood.test.ts',
      by: `import { expect, test } from 'vitest';
import { recordEvents } from '../../test/chatting.ts';
import { startServer } from '../../test/harness.ts';

test('the mood is stored and told to the other devices', async () => {
  const server = await startServer();
  const events = recordEvents(server);
  const ada = await server.signIn('Ada');
  const current = async () => (await ada.request('GET', '/api/users/current')).body;
  expect(await current()).toMatchObject({ sharesMood: false });
  await ada.request('PATCH', '/api/users/settings', { sharesMood: true });
  expect(await current()).toMatchObject({ sharesMood: true });
  const settings = { sharesMood: true };
  expect(events).toContainEqual({ type: 'settings-changed', userId: ada.id, settings });
  await server.close();
});
`,
    },
    {
      file: 'packages/renderer/test/component/mood.test.ts',
      by: `import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { actAs } from './support/act-as.ts';
import { openApp } from './support/open-app.ts';

test('the mood is a switch in the settings, which follows other devices, also after a gap', async () => {
  const { server, browser } = await openApp({ user: 'Alice', path: '/settings' });
  const mood = page.getByRole('checkbox', { name: 'My mood' });
  const isStored = async () => (await actAs(server, 'Alice').call('getCurrentUser')).sharesMood;
  const change = (sharesMood: boolean) =>
    actAs(server, 'Alice').call('changeSettings', { body: { sharesMood } });
  await expect.element(mood).not.toBeChecked();
  await mood.click();
  await expect.poll(isStored).toBe(true);
  await change(false);
  await expect.element(mood).not.toBeChecked();
  browser.setOnline(false);
  await change(true);
  browser.setOnline(true);
  await expect.element(mood).toBeChecked();
});
`,
    },
  ],
  existingTests: ['apps/server/src/storage/schema-parity.test.ts'],
};
