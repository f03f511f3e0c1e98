import type { OutboxEntry } from '@parley/client';
import { expect, test } from 'vitest';
import { getSignOutWarning } from './sign-out-warning.ts';

const STATES: OutboxEntry['state'][] = ['waiting', 'sending', 'failed'];

function createEntry(state: OutboxEntry['state']): OutboxEntry {
  const to = { chatroomId: '1' };
  return { clientId: 'a', to, content: 'Hello', createdAt: '', order: 1, state };
}

const EMPTY = { entries: [], changes: [] };
const outboxOf = (...entries: OutboxEntry[]) => ({ ...EMPTY, entries });

test('a logout needs no confirmation if the outbox is empty', () => {
  expect(getSignOutWarning(EMPTY, 'online')).toBeUndefined();
  expect(getSignOutWarning(EMPTY, 'offline')).toBeUndefined();
});

test('a logout warns of a chosen file, but not of a first message that became a draft', () => {
  const draft = createEntry('draft');
  const file = { kind: 'image' as const, name: 'a.png', blob: new Blob(), previewUrl: '' };
  expect(getSignOutWarning(outboxOf(draft), 'online')).toBeUndefined();
  expect(getSignOutWarning(outboxOf(draft, { ...draft, file }), 'online')).toBe('unsent');
});

test('a logout warns of a change that is not sent, if the user would miss it', () => {
  const withChange = (key: string) => ({
    ...EMPTY,
    changes: [{ key, chatroomId: '1', value: {}, order: 1 }],
  });
  expect(getSignOutWarning(withChange('edit:m1'), 'online')).toBe('unsent');
  expect(getSignOutWarning(withChange('status:1'), 'offline')).toBe('offline');
  expect(getSignOutWarning(withChange('read:1'), 'online')).toBeUndefined();
  expect(getSignOutWarning(withChange('chat-settings:1:mark'), 'online')).toBeUndefined();
});

test.each(STATES)('a logout warns of an entry that is %s', (state) => {
  expect(getSignOutWarning(outboxOf(createEntry(state)), 'online')).toBe('unsent');
});

test.each(['connecting', 'reconnecting', 'offline'] as const)(
  'a logout with unsent messages warns of the missing connection while %s',
  (status) => {
    expect(getSignOutWarning(outboxOf(createEntry('waiting')), status)).toBe('offline');
  },
);
