import { selectChosenImages, selectUnsentFiles, type Client } from '@parley/client';

/** Returns the number of images of a chatroom that are not uploaded yet, including those that are being read. */
export function countUnsentImages(
  { outbox, chosenImages }: Pick<Client, 'outbox' | 'chosenImages'>,
  chatroomId: string,
): number {
  const unsent = selectUnsentFiles(outbox.getState().entries, 'image', chatroomId);
  return unsent.length + selectChosenImages(chosenImages.getState().images, chatroomId).length;
}
