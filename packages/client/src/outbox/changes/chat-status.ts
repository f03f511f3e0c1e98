import type { ChatStatus } from '@parley/contract';
import { isInChatList, toChat } from '../../stores/chat-list.ts';
import { findChat } from '../../stores/chats.ts';
import { defineChange } from './change.ts';

/** What the user decides about the partner in a chat, with the endpoint, and the status that is shown. */
const DECISIONS = {
  accept: { endpoint: 'acceptChat', status: 'accepted' },
  decline: { endpoint: 'declineRequest', status: 'none' },
  block: { endpoint: 'blockPartner', status: 'blocked' },
  unblock: { endpoint: 'unblockPartner', status: 'accepted' },
} as const satisfies Record<string, { endpoint: string; status: ChatStatus }>;

/** A decision of the user about the partner in a chat. */
export type ChatDecision = keyof typeof DECISIONS;

/** Returns the status of a chat after a decision, as far as it is known before the server has confirmed it. */
export function statusAfter(decision: ChatDecision): ChatStatus {
  return DECISIONS[decision].status;
}

/** Accepts, declines, blocks or unblocks the partner in a chat. */
export const chatStatus = defineChange<{ decision: ChatDecision }>('status', {
  what: 'changing a chat',
  isIndependent: true,
  fields: {
    decision: (decision) => typeof decision === 'string' && Object.hasOwn(DECISIONS, decision),
  },
  target: (chatroomId) => chatroomId,
  send: async ({ api, stores, applyChat }, id, { decision }) => {
    const before = findChat(stores.chats.getState(), id);
    const { chat } = await api.call(DECISIONS[decision].endpoint, { params: { id } });
    applyChat(toChat(chat), before);
  },
  applyToChat: (chat, { decision }) => ({ ...chat, status: statusAfter(decision) }),
  applyToChatroom: (room, { decision }) => {
    const status = statusAfter(decision);
    if (room.status === status) return room;
    return isInChatList({ status }) ? { ...room, status } : undefined;
  },
});
