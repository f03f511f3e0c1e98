import { selectUnsentFiles, type Client } from '@parley/client';
import { UI } from '@parley/contract';
import type { SharedContent, SharedContentStore } from '../../host/shared-content.ts';

interface AddToDraftOptions {
  client: Pick<Client, 'outbox' | 'drafts' | 'addMedia'>;
  sharedContent: Pick<SharedContentStore, 'remove'> | undefined;
  content: SharedContent;
  chatroomId: string;
}

/**
 * Moves shared content to the draft of a chatroom, below what the user has already written there. Resolves to `full`,
 * and changes nothing, if the draft cannot take all images, and to `gone` if the content was moved before.
 */
export async function addToDraft({
  client,
  sharedContent,
  content,
  chatroomId,
}: AddToDraftOptions): Promise<'added' | 'full' | 'gone'> {
  const { id, text, images } = content;
  const unsent = selectUnsentFiles(client.outbox.getState().entries, 'image', chatroomId).length;
  if (images.length > 0 && unsent + images.length > UI.unsentImagesMax) return 'full';
  // Removed first, so that a second tap or another window does not add it again.
  if ((await sharedContent?.remove(id)) === false) return 'gone';
  // The stored draft may still be loading.
  if (text !== '') await client.drafts.getState().append(chatroomId, text);
  for (const image of images) client.addMedia('image', chatroomId, image, image.name);
  return 'added';
}
