import { createOtherUserError } from './api/client.ts';
import type { ClientCore } from './client-core.ts';

/** Returns a function that rejects if the session belongs to another user, or cannot be checked. */
export function createUserConfirmation(
  { api, username, stores }: ClientCore,
  onOtherUser: () => void,
): () => Promise<void> {
  return async () => {
    // While online, the live connection reports the end of the session.
    if (stores.connection.getState().status === 'online') return;
    const user = await api.call('getCurrentUser');
    if (user.username === username) return;
    onOtherUser();
    throw createOtherUserError();
  };
}
