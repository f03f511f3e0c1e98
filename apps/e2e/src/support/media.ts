import { expect, type Page } from 'playwright/test';
import type { TestFile } from './files.ts';

/** Chooses images with the composer's button. They are shown above the text box. */
export async function chooseImages(page: Page, ...files: TestFile[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page
    .getByRole('button', { name: /^(?:Choose images|Bilder auswählen)$/ })
    .first()
    .click();
  await (await chooser).setFiles(files);
}

/** Drops a file on the chatroom or pastes it into the text box. */
export async function insertFile(page: Page, how: 'drop' | 'paste', file: TestFile): Promise<void> {
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

/** Uploads a file and sends it to a chatroom over HTTP, as the page's user. Returns its URL. */
export async function sendFile(
  page: Page,
  room: string,
  kind: 'image' | 'audio',
  file: TestFile,
): Promise<string> {
  const upload = await page.request.post(`/api/upload/${kind}`, { multipart: { [kind]: file } });
  expect(upload.status()).toBeLessThan(300);
  const { url } = (await upload.json()) as { url: string };
  const data = { chatroom: room.split('/').at(-1), content: url };
  const sent = await page.request.post('/api/messages/send', { data });
  expect(sent.status()).toBe(201);
  return url;
}
