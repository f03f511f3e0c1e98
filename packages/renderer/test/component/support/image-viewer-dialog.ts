import { createTranslator, type TestLanguage } from '@parley/texts/translator';
import { expect } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import type { AppOptions } from './open-app.ts';
import { createImageFile, sendMediaAs } from './media-files.ts';
import { openChatOf, type ShownChat } from './open-chat-of.ts';

/** The parts of the image viewer and the buttons that open it. */
export interface ViewerLocators {
  openers: Locator;
  dialog: Locator;
  /** The image in the viewer. */
  image: Locator;
  /** Finds the text that shows the position among three images. */
  position: (current: number) => Locator;
}

/** Finds the image viewer. */
export function findImageViewer(language: TestLanguage = 'en'): ViewerLocators {
  const t = createTranslator(language);
  const dialog = page.getByRole('dialog', { name: t('lightbox.title') });
  return {
    openers: page.getByRole('button', { name: t('message.openImage'), exact: false }),
    dialog,
    image: dialog.getByRole('img'),
    position: (current) => dialog.getByText(t('lightbox.place', { current, total: 3 })),
  };
}

/** Opens Bob's chatroom with two images of Alice, 300x200 and 200x300, and one of his, 400x100. */
export function openThreeImages(
  options: Pick<AppOptions, 'viewport' | 'language'> = {},
): Promise<ShownChat> {
  return openChatOf('Bob', options, async (server, room) => {
    await sendMediaAs(server, 'Alice', room, await createImageFile(300, 200));
    await sendMediaAs(server, 'Alice', room, await createImageFile(200, 300));
    await sendMediaAs(server, 'Bob', room, await createImageFile(400, 100));
  });
}

/** Waits until the history has left the entry of an open image, as after a reload. */
export async function expectNoImageEntry(): Promise<void> {
  await expect
    .poll(() => (history.state as { usr?: { image?: string } | null }).usr?.image)
    .toBeUndefined();
}
