import { usernameKey } from '@parley/contract';
import { recognizeChange } from './changes/change-types.ts';
import { selectChosenImages } from './chosen-images.ts';
import type { Mutation } from './mutation.ts';
import type { OutboxContext } from './outbox-context.ts';

/**
 * Discards everything unsent to a chatroom, and the first message to its partner. Changes that are sent whatever the
 * user has decided stay.
 * @param isKept returns whether another change or a message stays as well
 */
export function discardUnsent(
  { outbox, chosenImages }: Pick<OutboxContext['stores'], 'outbox' | 'chosenImages'>,
  chatroomId: string,
  partnerNames: readonly string[],
  isKept: (mutation: Mutation) => boolean = () => false,
): void {
  const keys = new Set(partnerNames.map(usernameKey));
  const { entries, changes, remove, settleChange } = outbox.getState();
  for (const change of changes) {
    const known = change.chatroomId === chatroomId && recognizeChange(change);
    if (known && !known.isIndependent && !isKept(change)) settleChange(change);
  }
  const unsent = entries.filter(
    (entry) =>
      !isKept(entry) &&
      (entry.to.chatroomId === chatroomId ||
        (entry.to.partnerName !== undefined && keys.has(usernameKey(entry.to.partnerName)))),
  );
  const chosen = selectChosenImages(chosenImages.getState().images, chatroomId);
  chosenImages.getState().remove(chosen.map(({ clientId }) => clientId));
  chosenImages.getState().setAwaited(chatroomId, false);
  if (unsent.length > 0) remove(unsent.map(({ clientId }) => clientId));
}
