import type { ApiError } from './api/client.ts';
import type { ClientCore } from './client-core.ts';
import type { Mutation, MutationsStore } from './mutations/mutations-store.ts';
import { createMutations, type MutationSender, type Mutations } from './mutations/mutations.ts';
import { parseReactionMutation, REACTION_MUTATION } from './mutations/pending-reactions.ts';
import { parseSettingsMutation, SETTINGS_MUTATION } from './mutations/pending-settings.ts';
import { toChat, type Chat } from './stores/chat-list.ts';
import { withMessage } from './stores/loaded-chatroom.ts';

/** Sends the user's reactions and chat settings. */
export function createClientMutations(
  { api, platform, stores, events, signal, timing }: ClientCore,
  mutations: MutationsStore,
  confirmUser: () => Promise<void>,
  applyChat: (chat: Chat) => void,
): Mutations {
  const onRefused = (_mutation: Mutation, error: ApiError): void => {
    // The message or the chat was deleted in the meantime.
    const isExpected = error.code === 'message_not_found' || error.code === 'room_not_found';
    if (!isExpected) events.onChangeRefused?.(error);
  };
  const reaction: MutationSender = {
    send: async (mutation) => {
      const body = parseReactionMutation(mutation);
      if (!body) return;
      const message = await api.call('reactToMessage', { body });
      if (signal.aborted) return;
      stores.rooms
        .getState()
        .update(message.chatroom, (room) => withMessage(room, message, false).room);
    },
    onRefused,
  };
  const settings: MutationSender = {
    send: async (mutation) => {
      const body = parseSettingsMutation(mutation);
      if (!body) return;
      const { chatroomId: id } = mutation;
      const { chat } = await api.call('changeChatSettings', { params: { id }, body });
      if (!signal.aborted) applyChat(toChat(chat));
    },
    onRefused,
  };
  const senders = { [REACTION_MUTATION]: reaction, [SETTINGS_MUTATION]: settings };
  return createMutations({ mutations, platform, senders, signal, confirmUser, timing });
}
