import type { EditBody, Message, SendBody } from '@parley/contract';
import type { ApiClient } from './client.ts';

/** Sends a message. The same `clientId` sent again gives the same message. */
export function sendMessage(api: ApiClient, body: SendBody): Promise<Message> {
  return api.call('sendMessage', { body });
}

/** Changes the text of one's own message. */
export function editMessage(api: ApiClient, body: EditBody): Promise<unknown> {
  return api.call('editMessage', { body });
}

/** Deletes one's own message for both. */
export function deleteMessage(api: ApiClient, messageId: string): Promise<unknown> {
  return api.call('deleteMessage', { body: { messageId } });
}
