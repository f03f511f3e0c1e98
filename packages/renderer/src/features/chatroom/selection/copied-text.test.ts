import type { Message } from '@parley/contract';
import { createTranslator } from '@parley/texts/translator';
import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { copiedText } from './copied-text.ts';

function message(change: Partial<Message>): Message {
  return {
    _id: 'a',
    chatroom: 'x',
    content: 'Hello',
    sender: { username: 'Alice' },
    createdAt: '2025-03-05T14:05:00',
    updatedAt: '2025-03-05T14:05:00',
    seq: 1,
    rev: 1,
    kind: 'text',
    ...change,
  };
}

const image = message({ kind: 'image', content: 'https://chat.test/media/a.png' });
const translate = (language: 'en' | 'de') => createTranslator(language) as unknown as TFunction;

test('one message is copied without its sender and time', () => {
  expect(copiedText([message({ content: 'two\nlines' })], 'en', translate('en'))).toBe(
    'two\nlines',
  );
  expect(copiedText([image], 'de', translate('de'))).toBe('Bild');
});

test('several messages are copied with their senders and times, media as a word', () => {
  const messages = [
    message({}),
    image,
    message({ kind: 'audio', sender: { username: 'Bob' }, createdAt: '2025-03-06T09:30:00' }),
    message({ kind: 'call', content: '', createdAt: '2025-03-06T09:31:00' }),
  ];
  expect(copiedText(messages, 'en', translate('en')).split('\n')).toEqual([
    '[5 Mar 2025, 2:05 PM] Alice: Hello',
    '[5 Mar 2025, 2:05 PM] Alice: Image',
    '[6 Mar 2025, 9:30 AM] Bob: Voice message',
    '[6 Mar 2025, 9:31 AM] Alice: A newer version of Parley shows more.',
  ]);
  expect(copiedText(messages, 'de', translate('de')).split('\n').slice(0, 3)).toEqual([
    '[5. März 2025, 14:05] Alice: Hello',
    '[5. März 2025, 14:05] Alice: Bild',
    '[6. März 2025, 09:30] Bob: Sprachnachricht',
  ]);
});
