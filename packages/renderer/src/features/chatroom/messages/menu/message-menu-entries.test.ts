import type { MessageEntry } from '@parley/client';
import type { Message } from '@parley/contract';
import { expect, test, vi } from 'vitest';
import {
  buildMessageMenuEntries,
  type MenuSubject,
  type MessageMenuActions,
} from './message-menu-entries.ts';

const MESSAGE: Message = {
  _id: '1b4e28ba-2fa1-4d2b-883f-0016d3cca427',
  chatroom: '6fa459ea-ee8a-4ca4-894e-db77e160355e',
  content: 'Hello',
  sender: { username: 'ada' },
  createdAt: '2026-03-05T14:05:00.000Z',
  updatedAt: '2026-03-05T14:05:00.000Z',
  seq: 1,
  rev: 1,
  kind: 'text',
};

const TEXT: MenuSubject = {
  message: MESSAGE,
  entry: undefined,
  kind: 'text',
  content: 'Hello',
  isOwn: false,
  isHidden: false,
  isReadOnly: false,
  canReply: true,
  album: [],
};

const IMAGE: MenuSubject = { ...TEXT, kind: 'image', content: 'https://chat.test/media/a.png' };

function createActions() {
  return {
    reply: vi.fn<MessageMenuActions['reply']>(),
    copyLink: vi.fn<MessageMenuActions['copyLink']>(),
    forward: vi.fn<MessageMenuActions['forward']>(),
    select: vi.fn<MessageMenuActions['select']>(),
    copyText: vi.fn<MessageMenuActions['copyText']>(),
    edit: vi.fn<MessageMenuActions['edit']>(),
    confirmDelete: vi.fn<MessageMenuActions['confirmDelete']>(),
    showDetails: vi.fn<MessageMenuActions['showDetails']>(),
    retry: vi.fn<MessageMenuActions['retry']>(),
    discard: vi.fn<MessageMenuActions['discard']>(),
  };
}

function textsOf(subject: MenuSubject): string[] {
  return buildMessageMenuEntries(subject, createActions()).map(({ text }) => text);
}

function unsent(state: MessageEntry['state']): MenuSubject {
  const entry = { clientId: 'c1', state, content: 'Hello' } as MessageEntry;
  return { ...TEXT, message: undefined, entry, isOwn: true };
}

test("offers to reply to the partner's text, to copy it and its link and to show its details", () => {
  expect(textsOf(TEXT)).toEqual([
    'message.reply',
    'message.copyText',
    'message.copyLink',
    'message.forward',
    'message.select',
    'message.details',
  ]);
});

test("offers to edit and delete the user's own text as well", () => {
  expect(textsOf({ ...TEXT, isOwn: true })).toEqual([
    'message.reply',
    'message.copyText',
    'message.copyLink',
    'message.forward',
    'message.select',
    'message.edit',
    'message.delete',
    'message.details',
  ]);
});

test('does not offer to edit a text or to reply to it while the partner is blocked', () => {
  const texts = textsOf({ ...TEXT, isOwn: true, isReadOnly: true, canReply: false });
  expect(texts).toEqual([
    'message.copyText',
    'message.copyLink',
    'message.forward',
    'message.select',
    'message.delete',
    'message.details',
  ]);
});

test('offers to save images and recordings instead of copying them', () => {
  expect(textsOf(IMAGE)).toEqual([
    'message.reply',
    'message.saveImage',
    'message.copyLink',
    'message.forward',
    'message.select',
    'message.details',
  ]);
  const recording: MenuSubject = { ...IMAGE, kind: 'audio', isOwn: true };
  expect(textsOf(recording)).toEqual([
    'message.reply',
    'message.saveRecording',
    'message.copyLink',
    'message.forward',
    'message.select',
    'message.delete',
    'message.details',
  ]);
});

test('does not offer to save an image that is hidden or blocked', () => {
  const hidden: MenuSubject = { ...IMAGE, isHidden: true, canReply: false };
  expect(textsOf(hidden)).toEqual(['message.details']);
  const message: Message = { ...MESSAGE, kind: 'image', media: { isBlocked: true } };
  expect(textsOf({ ...IMAGE, message })).toEqual([
    'message.reply',
    'message.copyLink',
    'message.select',
    'message.details',
  ]);
});

test('offers to send a failed message again or to discard it', () => {
  expect(textsOf(unsent('waiting'))).toEqual(['message.copyText', 'message.details']);
  expect(textsOf(unsent('failed'))).toEqual([
    'message.copyText',
    'message.retry',
    'message.discard',
    'message.details',
  ]);
});

test('calls the action of the selected entry with its message', () => {
  const actions = createActions();
  for (const subject of [{ ...TEXT, isOwn: true }, unsent('failed')]) {
    for (const { onSelect } of buildMessageMenuEntries(subject, actions)) onSelect?.();
  }
  expect(actions.copyText).toHaveBeenCalledWith('Hello');
  expect(actions.forward).toHaveBeenCalledOnce();
  expect(actions.reply).toHaveBeenCalledExactlyOnceWith(MESSAGE);
  expect(actions.copyLink).toHaveBeenCalledExactlyOnceWith(MESSAGE);
  expect(actions.edit).toHaveBeenCalledExactlyOnceWith(MESSAGE);
  expect(actions.confirmDelete).toHaveBeenCalledExactlyOnceWith([MESSAGE]);
  expect(actions.showDetails).toHaveBeenCalledTimes(2);
  expect(actions.retry).toHaveBeenCalledExactlyOnceWith('c1');
  expect(actions.discard).toHaveBeenCalledExactlyOnceWith('c1');
});
