import { createTranslator, TEST_LANGUAGES, type TestLanguage } from '@parley/texts/translator';
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { sendTextAs } from './support/act-as.ts';
import { chatRowOf, messageBox, messageWith } from './support/locators.ts';
import { createImageFile, createRecordingFile, sendMediaAs } from './support/media-files.ts';
import { messageMenu } from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { FORM_SCREENS } from './support/visit-screens.ts';

const VIEWPORT = { width: 320, height: 740 };

/** Makes texts as large as a user who has set the largest size in the browser. */
function enlargeTexts(): void {
  const { style } = document.documentElement;
  style.fontSize = '200%';
  onTestFinished(() => {
    style.removeProperty('font-size');
  });
}

/** Returns what can be scrolled sideways. A placeholder in the text box may be cut. */
function findSidewaysScrolling(): string[] {
  return [...document.querySelectorAll('html, body *:not(textarea)')]
    .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
    .filter(
      (box) => box.matches('html') || /auto|scroll|clip/.test(getComputedStyle(box).overflowX),
    )
    .map((box) => `${box.tagName}.${box.className} ${box.scrollWidth} > ${box.clientWidth}`);
}

/** Expects at both widths of small phones that nothing scrolls sideways, once all is in its place. */
async function expectToFit(): Promise<void> {
  for (const width of [360, 320]) {
    await page.viewport(width, VIEWPORT.height);
    await expect.poll(findSidewaysScrolling).toEqual([]);
  }
}

/** Returns the words of an element that are broken into several lines. */
function findBrokenWords(element: Element): string[] {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const broken: string[] = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    for (const { 0: word, index } of (node.textContent ?? '').matchAll(/\S+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
    }
  }
  return broken;
}

const heading = page.getByRole('heading', { level: 1 });

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`forms fit into a phone with texts of twice the size (${language})`, async () => {
    const { reload } = await openApp({ language, viewport: VIEWPORT });
    enlargeTexts();
    for (const [path, title] of FORM_SCREENS) {
      await reload(path);
      await expect.element(heading).toHaveTextContent(t(title));
      await expectToFit();
    }
  });

  test(`screens fit into a phone with texts of twice the size (${language})`, async () => {
    const { path: room, reload } = await openFullChat(language);
    await expectToFit();
    const name = page.getByRole('heading', { name: 'Alice' });
    expect(name.element().scrollWidth).toBeLessThanOrEqual(name.element().clientWidth);
    for (const [path, text] of [
      ['/chatarea', 'Alice'],
      ['/chatarea/exist', t('findUser.title')],
      [`${room}/media`, t('gallery.title')],
      ['/chatarea/chats/new-chatroom/Carla', t('newChatroom.title')],
      ['/profile', t('profile.registered')],
      ['/settings', t('settings.invitationNew')],
    ] as const) {
      await reload(path);
      await expect.element(page.getByText(text).first()).toBeInTheDocument();
      await expectToFit();
      if (path === '/chatarea') expect(findBrokenWords(heading.element())).toEqual([]);
    }
  });

  test(`menus, dialogs and the recorder fit into a phone with texts of twice the size (${language})`, async () => {
    const { reload, server, room } = await openFullChat(language);
    const menuButton = page.getByRole('button', { name: t('message.menu') });
    for (const button of menuButton.elements()) {
      const { left, right } = button.getBoundingClientRect();
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(VIEWPORT.width);
    }

    const list = page.getByRole('region', { name: t('room.messages', { name: 'Alice' }) });
    const unread = page.getByCss('button[class*=_unread_]');
    for (const text of ['one', 'two']) await sendTextAs(server, 'Alice', room, text);
    await expect
      .poll(() => {
        list.element().dispatchEvent(new WheelEvent('wheel'));
        list.element().scrollTop = 0;
        return unread.elements().length;
      })
      .toBe(1);
    expect(findBrokenWords(unread.element())).toEqual([]);
    await unread.click();
    await expect.element(unread).not.toBeInTheDocument();
    messageWith('the word')
      .element()
      .dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, clientX: 100, clientY: 300 }));
    await expect.element(messageMenu).toBeVisible();
    await expectToFit();
    await page.getByRole('menuitem', { name: t('message.forward') }).click();
    await expect.element(page.getByRole('dialog')).toBeVisible();
    await expectToFit();
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();

    await page.getByRole('button', { name: t('composer.record') }).click();
    const pause = page.getByRole('button', { name: t('recorder.pause'), exact: true });
    await expect.element(pause).toBeEnabled();
    await expectToFit();
    await pause.click();
    await expect.element(page.getByRole('group', { name: t('recorder.review') })).toBeVisible();
    await expectToFit();
    await page.getByRole('button', { name: t('recorder.discard') }).click();
    await expect.element(messageBox()).toBeVisible();

    await reload('/chatarea');
    await expect.element(chatRowOf('Alice')).toBeVisible();
    const account = page.getByRole('button', { name: t('frame.menu', { name: 'Bob' }) });
    // If the button moved meanwhile, the click would end beside it and close the menu.
    await account.click({ delay: 500 });
    await expect.element(page.getByRole('menu')).toHaveAttribute('data-open');
    await expectToFit();
  });
}

/** Opens Bob's chatroom with messages of all kinds from Alice, with large texts. */
async function openFullChat(language: TestLanguage) {
  const app = await openChatOf('Bob', { language, viewport: VIEWPORT }, async (server, room) => {
    await sendMediaAs(server, 'Alice', room, createRecordingFile(3));
    await sendMediaAs(server, 'Alice', room, await createImageFile(300, 200));
    await sendTextAs(server, 'Alice', room, `https://parley.example/${'long-'.repeat(12)}`);
    await sendTextAs(server, 'Alice', room, 'Donaudampfschifffahrtsgesellschaft, the word.');
  });
  enlargeTexts();
  return app;
}
