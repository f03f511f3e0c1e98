import { expect, test, vi } from 'vitest';
import { createChatState } from '../../test/create-chat-state.ts';
import { toChat } from '../stores/chat-list.ts';
import { createChatsStore, findChat } from '../stores/chats.ts';
import { refetchIfListed, type OutboxContext } from './outbox-context.ts';

test('a chat is fetched after a refusal unless an event has told its state since the request', () => {
  const chats = createChatsStore();
  const refetchChat = vi.fn<OutboxContext['refetchChat']>();
  const context = { stores: { chats }, refetchChat };
  const apply = (status: 'accepted' | 'blocked', memberRev: number) =>
    chats.getState().setChat(toChat(createChatState({ chatId: 'a', status, memberRev })));
  const isNeeded = () => refetchChat.mock.lastCall?.[1]?.();

  apply('accepted', 1);
  const before = findChat(chats.getState(), 'a');
  refetchIfListed(context, 'a', before);
  expect(isNeeded()).toBe(true);
  // Another device blocks the partner, and ends that.
  apply('blocked', 2);
  expect(isNeeded()).toBe(false);
  apply('accepted', 3);
  expect(isNeeded()).toBe(false);
  refetchIfListed(context, 'a', before);
  expect(isNeeded()).toBe(false);
  expect(refetchChat).toHaveBeenCalledTimes(2);
});
