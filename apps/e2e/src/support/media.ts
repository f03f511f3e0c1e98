import { expect, type Page } from 'playwright/test';
import type { ChosenFile } from './files.ts';

/** Chooses pictures with the composer's button; they show above the text box. */
export async function choosePicture(page: Page, ...files: ChosenFile[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page
    .getByRole('button', { name: /^(?:Choose images|Bilder auswählen)$/ })
    .first()
    .click();
  await (await chooser).setFiles(files);
}

/** Lets a file go over the room, or pastes it into the text box, as a person would. */
export async function give(page: Page, how: 'drop' | 'paste', file: ChosenFile): Promise<void> {
  const { name, mimeType, buffer } = file;
  const given = { how, name, mimeType, bytes: buffer.toString('base64') };
  await page.evaluate(({ how, name, mimeType, bytes }) => {
    const content = Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([content], name, { type: mimeType }));
    const box = document.querySelector('textarea');
    const init = { bubbles: true, cancelable: true };
    if (how === 'paste') {
      box?.dispatchEvent(new ClipboardEvent('paste', { ...init, clipboardData: data }));
      return;
    }
    const list = document.querySelector('main section');
    for (const type of ['dragenter', 'dragover', 'drop']) {
      list?.dispatchEvent(new DragEvent(type, { ...init, dataTransfer: data }));
    }
  }, given);
}

/** Uploads a file over HTTP as the person whose page it is and sends it into a room. */
export async function sendFile(
  page: Page,
  room: string,
  kind: 'image' | 'audio',
  file: ChosenFile,
): Promise<void> {
  const upload = await page.request.post(`/api/upload/${kind}`, { multipart: { [kind]: file } });
  expect(upload.status()).toBeLessThan(300);
  const { url } = (await upload.json()) as { url: string };
  const data = { chatroom: room.split('/').at(-1), content: url };
  const sent = await page.request.post('/api/messages/send', { data });
  expect(sent.status()).toBe(201);
}
