import { selectUnsentFiles, type Client } from '@parley/client';
import { UI } from '@parley/contract';
import { judgeImage } from '../../client/shrink-image.ts';
import type { SharedContent, SharedContentStore } from '../../host/shared-content.ts';
import type { LargeImage } from '../../shared/smaller-copies/use-smaller-copies.tsx';

interface AddToDraftOptions {
  client: Pick<Client, 'outbox' | 'drafts' | 'addMedia'>;
  sharedContent: Pick<SharedContentStore, 'remove'> | undefined;
  content: SharedContent;
  chatroomId: string;
  /** Offers smaller copies of images that are too large. Resolves to none if the user declines. */
  offerCopies: (images: readonly LargeImage[]) => Promise<File[]>;
}

/**
 * Moves shared content to the draft of a chatroom, below what the user has already written there. Resolves to `full`,
 * and changes nothing, if the draft cannot take all images, to `declined` if the user does not want smaller copies of
 * those that are too large, and to `gone` if the content was moved before.
 */
export async function addToDraft({
  client,
  sharedContent,
  content,
  chatroomId,
  offerCopies,
}: AddToDraftOptions): Promise<'added' | 'full' | 'declined' | 'gone'> {
  const { id, text, images } = content;
  const unsent = selectUnsentFiles(client.outbox.getState().entries, 'image', chatroomId).length;
  if (images.length > 0 && unsent + images.length > UI.unsentImagesMax) return 'full';
  const sent = await replaceLarge(images, offerCopies);
  if (sent === undefined) return 'declined';
  // Removed first, so that a second tap or another window does not add it again.
  if ((await sharedContent?.remove(id)) === false) return 'gone';
  // The stored draft may still be loading.
  if (text !== '') await client.drafts.getState().append(chatroomId, text);
  for (const image of sent) client.addMedia('image', chatroomId, image, image.name);
  return 'added';
}

/** Replaces images that are too large with smaller copies. Resolves to undefined if there is not one of each. */
async function replaceLarge(
  images: readonly File[],
  offerCopies: AddToDraftOptions['offerCopies'],
): Promise<readonly File[] | undefined> {
  const large: LargeImage[] = [];
  for (const file of images) {
    const found = await judgeImage(file);
    if (found.state === 'shrinkable') large.push({ ...found, file });
  }
  if (large.length === 0) return images;
  const copies = await offerCopies(large);
  if (copies.length < large.length) return undefined;
  return images.map((image) => copies[large.findIndex(({ file }) => file === image)] ?? image);
}
