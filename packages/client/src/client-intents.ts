import type { ApiError } from './api/client.ts';
import type { ClientCore } from './client-core.ts';
import type { Intent, IntentsStore } from './intents/intents-store.ts';
import { createIntents, type IntentSender, type Intents } from './intents/intents.ts';
import { parseReactionIntent, REACTION_INTENT } from './intents/pending-reactions.ts';
import { parseSettingsIntent, SETTINGS_INTENT } from './intents/pending-settings.ts';
import { withMessage } from './stores/room.ts';

/** Sends the user's reactions and chat settings. */
export function createClientIntents(
  { api, platform, stores, chatList, events, signal, timing }: ClientCore,
  intents: IntentsStore,
  confirmUser: () => Promise<void>,
): Intents {
  const onRefused = (_intent: Intent, error: ApiError): void => {
    // The message or the chat was deleted in the meantime.
    const isExpected = error.code === 'message_not_found' || error.code === 'room_not_found';
    if (!isExpected) events.onChangeRefused?.(error);
  };
  const reaction: IntentSender = {
    send: async (intent) => {
      const body = parseReactionIntent(intent);
      if (!body) return;
      const message = await api.call('reactToMessage', { body });
      if (signal.aborted) return;
      stores.rooms
        .getState()
        .update(message.chatroom, (room) => withMessage(room, message, false).room);
    },
    onRefused,
  };
  const settings: IntentSender = {
    send: async (intent) => {
      const body = parseSettingsIntent(intent);
      if (!body) return;
      const { chatroomId: id } = intent;
      const changed = await api.call('changeChatSettings', { params: { id }, body });
      if (signal.aborted) return;
      chatList.recordSettings(id, changed);
      stores.chats.getState().addSettings(id, changed);
    },
    onRefused,
  };
  const senders = { [REACTION_INTENT]: reaction, [SETTINGS_INTENT]: settings };
  return createIntents({ intents, platform, senders, signal, confirmUser, timing });
}
