import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BROWSER_TESTS } from './browser-tests.ts';
import { hasShortTest } from '../has-short-test.ts';
import { COMPONENT_TESTS } from './component-tests.ts';
import { planQuickRun } from './plan-quick-run.ts';

const ROOT = join(import.meta.dirname, '../../../..');

test('runs what belongs to the changed files', () => {
  expect(
    planQuickRun([
      'README.md',
      'apps/server/src/messages/message.service.ts',
      'apps/server/src/server.ts',
      'apps/server/src/storage/sqlite/dialect.ts',
      'packages/renderer/src/features/chatroom/messages/menu/MessageMenu.tsx',
      'packages/renderer/src/features/chatroom/messages/Bubble.tsx',
      'packages/contract/src/limits.test.ts',
      'packages/renderer/test/component/toast-placement.test.ts',
      'apps/e2e/src/support/chat.ts',
      'apps/e2e/src/pwa.test.ts',
    ]),
  ).toEqual({
    workspaces: ['apps/e2e', 'apps/server', 'packages/contract', 'packages/renderer'],
    folders: [
      'apps/server/src/messages/',
      'apps/server/src/server',
      'apps/server/src/storage/sqlite/',
      'packages/contract/src/limits',
      'packages/renderer/src/features/chatroom/messages/',
      'packages/renderer/test/component/chosen-menu-entries',
      'packages/renderer/test/component/deleted-message',
      'packages/renderer/test/component/grouped-messages',
      'packages/renderer/test/component/message-menu-',
      'packages/renderer/test/component/pressed-messages',
      'packages/renderer/test/component/refused-message',
      'packages/renderer/test/component/shown-',
      'packages/renderer/test/component/steady-',
      'packages/renderer/test/component/toast-placement',
    ],
    browserTests: [
      'apps/e2e/src/conversation.test.ts',
      'apps/e2e/src/message-menu.test.ts',
      'apps/e2e/src/pwa.test.ts',
    ],
  });
  expect(planQuickRun([])).toEqual({ workspaces: [], folders: [], browserTests: [] });
});

test('knows an existing browser test for every feature', () => {
  const features = join(ROOT, 'packages/renderer/src/features');
  for (const feature of readdirSync(features)) {
    expect(BROWSER_TESTS).toHaveProperty([`packages/renderer/src/features/${feature}/`]);
  }
  for (const [folder, name] of Object.entries(BROWSER_TESTS)) {
    expect(existsSync(join(ROOT, folder)), folder).toBe(true);
    expect(hasShortTest(name), name).toBe(true);
  }
});

test('knows existing component tests', () => {
  const files = readdirSync(join(ROOT, 'packages/renderer/test/component'));
  for (const [folder, names] of Object.entries(COMPONENT_TESTS)) {
    expect(existsSync(join(ROOT, folder)), folder).toBe(true);
    for (const name of names) {
      expect(
        files.some((file) => file.startsWith(name)),
        name,
      ).toBe(true);
    }
  }
});
