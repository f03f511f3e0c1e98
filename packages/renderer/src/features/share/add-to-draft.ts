import type { Client } from '@parley/client';
import { UI } from '@parley/contract';
import { countUnsentImages } from '../../client/count-unsent-images.ts';
import { judgeImage } from '../../client/judge-image.ts';
import { measureImage, type ImageSize } from '../../client/measure-image.ts';
import type { SharedContent, SharedContentStore } from '../../host/shared-content.ts';
import type { LargeImage } from '../../shared/smaller-copies/use-smaller-copies.tsx';

interface AddToDraftOptions {
  client: Pick<Client, 'outbox' | 'chosenImages' | 'drafts' | 'addMedia'>;
  sharedContent: Pick<SharedContentStore, 'remove'> | undefined;
  content: SharedContent;
  chatroomId: string;
  /** Offers a smaller copy of an image that is too large. Resolves to undefined if there is none. */
  offerCopy: (image: LargeImage) => Promise<File | undefined>;
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
  offerCopy,
}: AddToDraftOptions): Promise<'added' | 'full' | 'declined' | 'gone'> {
  const { id, text, images } = content;
  const unsent = countUnsentImages(client, chatroomId);
  if (images.length > 0 && unsent + images.length > UI.unsentImagesMax) return 'full';
  const sent = await replaceLarge(images, offerCopy);
  if (sent === undefined) return 'declined';
  const sizes = await Promise.all(
    sent.map(async ({ file, size }) => size ?? (await measureImage(file))),
  );
  // Removed first, so that a second tap or another window does not add it again.
  if ((await sharedContent?.remove(id)) === false) return 'gone';
  // The stored draft may still be loading.
  if (text !== '') await client.drafts.getState().append(chatroomId, text);
  for (const [index, { file }] of sent.entries()) {
    client.addMedia('image', chatroomId, file, file.name, sizes[index]);
  }
  return 'added';
}

/**
 * Replaces images that are too large with smaller copies. Resolves to undefined if there is not one of each, and else to
 * the images with the sizes that are known.
 */
async function replaceLarge(
  images: readonly File[],
  offerCopy: AddToDraftOptions['offerCopy'],
): Promise<readonly { file: File; size: ImageSize | undefined }[] | undefined> {
  const large: LargeImage[] = [];
  const sizes: (ImageSize | undefined)[] = [];
  for (const file of images) {
    const found = await judgeImage(file);
    sizes.push(found.state === 'sendable' ? found.size : undefined);
    if (found.state === 'shrinkable') large.push({ ...found, file });
  }
  const copies = await Promise.all(large.map((image) => offerCopy(image)));
  if (copies.includes(undefined)) return undefined;
  return images.map((image, index) => ({
    file: copies[large.findIndex(({ file }) => file === image)] ?? image,
    size: sizes[index],
  }));
}
