import { createExcerpt, parseSearchQuery, type Message, type SearchHit } from '@parley/contract';
import { expect, test } from 'vitest';
import { excerptOf } from './hit-excerpt.ts';

function hit(content: string, query = ''): SearchHit {
  const message: Message = {
    _id: 'm1',
    chatroom: 'room',
    content,
    sender: { username: 'Ada' },
    createdAt: '2026-03-20T09:00:00.000Z',
    updatedAt: '2026-03-20T09:00:00.000Z',
    seq: 1,
    rev: 1,
    kind: 'text',
  };
  return { message, excerpt: createExcerpt(content, parseSearchQuery(query)) };
}

const TEXT = `${'word '.repeat(100)}https://parley.example/page and more`;

test('shows a message from its first link on if any link was searched for', () => {
  expect(excerptOf(hit(TEXT), { kind: 'link' }).text).toBe('…https://parley.example/page and more');
  expect(excerptOf(hit('www.parley.example'), { kind: 'link' }).text).toBe('www.parley.example');
});

test('shows what the words found, also in a message with a link', () => {
  const found = hit(TEXT, 'word');
  expect(excerptOf(found, { kind: 'link', query: 'word' })).toEqual(found.excerpt);
  expect(excerptOf(hit(TEXT), { from: 'me' }).text).toMatch(/^word/);
});
