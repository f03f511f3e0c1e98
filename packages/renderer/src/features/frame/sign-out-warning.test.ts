import type { OutboxEntry } from '@parley/client';
import { expect, test } from 'vitest';
import { getSignOutWarning } from './sign-out-warning.ts';

const STATES: OutboxEntry['state'][] = ['waiting', 'sending', 'failed'];

function createEntry(state: OutboxEntry['state']): OutboxEntry {
  const to = { chatroomId: '1' };
  return { clientId: 'a', to, content: 'Hello', createdAt: '', order: 1, state };
}

test('a logout needs no confirmation if the outbox is empty', () => {
  expect(getSignOutWarning([], 'online')).toBeUndefined();
  expect(getSignOutWarning([], 'offline')).toBeUndefined();
});

test('a logout warns of a chosen file, but not of a first message that became a draft', () => {
  const draft = createEntry('draft');
  const file = { kind: 'image' as const, name: 'a.png', blob: new Blob(), previewUrl: '' };
  expect(getSignOutWarning([draft], 'online')).toBeUndefined();
  expect(getSignOutWarning([draft, { ...draft, file }], 'online')).toBe('unsent');
});

test.each(STATES)('a logout warns of an entry that is %s', (state) => {
  expect(getSignOutWarning([createEntry(state)], 'online')).toBe('unsent');
});

test.each(['connecting', 'reconnecting', 'offline'] as const)(
  'a logout with unsent messages warns of the missing connection while %s',
  (status) => {
    expect(getSignOutWarning([createEntry('waiting')], status)).toBe('offline');
  },
);
