import type { EditBody, Message, SendBody } from '@parley/contract';
import type { ApiClient } from './client.ts';

/** Sends a message. Sending the same `clientId` again returns the same message. */
export function sendMessage(api: ApiClient, body: SendBody): Promise<Message> {
  return api.call('sendMessage', { body });
}

/** Edits a text message of the current user. */
export function editMessage(api: ApiClient, body: EditBody): Promise<unknown> {
  return api.call('editMessage', { body });
}

/** Deletes a message of the current user for both members. */
export function deleteMessage(api: ApiClient, messageId: string): Promise<unknown> {
  return api.call('deleteMessage', { body: { messageId } });
}
