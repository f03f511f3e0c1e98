import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { sendTextAs } from './support/act-as.ts';
import { holdRequests } from './support/hold-requests.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { createImageFile, createRecordingFile, sendMediaAs } from './support/media-files.ts';
import { openChatOf } from './support/open-chat-of.ts';

const t = createTranslator('en');

/** Returns whether two boxes have no point in common. */
const areApart = (a: DOMRect, b: DOMRect): boolean =>
  a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;

/** Expects that the button of the menu of each message is visible while it is hovered and covers no message. */
async function expectFreeButtons(): Promise<void> {
  const bubbles = page.getByCss('[data-message]').elements();
  for (const row of page.getByRole('article').all()) {
    const button = row.getByRole('button', { name: t('message.menu') });
    await row.getByCss('[data-message]').hover();
    await expect.poll(() => getComputedStyle(button.element()).opacity).toBe('1');
    // The list may still be moving.
    const isFree = () => {
      const box = button.element().getBoundingClientRect();
      return (
        box.left >= 0 &&
        box.right <= innerWidth &&
        bubbles.every((bubble) => areApart(box, bubble.getBoundingClientRect()))
      );
    };
    await expect.poll(isFree).toBe(true);
  }
}

test('with a mouse, the button of the menu covers no message in windows of 320 to 900 pixels', async () => {
  await openChatOf('Alice', { viewport: { width: 320, height: 700 } }, async (server, room) => {
    await sendMediaAs(server, 'Alice', room, createRecordingFile(3));
    await sendTextAs(server, 'Bob', room, 'What a long voice message, dear! '.repeat(4));
    for (const text of ['Oh', 'That is how it is, and how it was. '.repeat(9), 'Yes', 'No']) {
      await sendTextAs(server, 'Alice', room, text);
    }
  });
  await expect.element(messageWith('No')).toBeVisible();
  const player = page.getByRole('group', { name: t('audio.own') });
  for (const width of [320, 360, 600, 900]) {
    await page.viewport(width, 700);
    const waveform = player.getByCss('[class*=wave] > :last-child').element();
    const speed = player.getByRole('button').last().element();
    expect(waveform.getBoundingClientRect().right).toBeLessThanOrEqual(
      speed.getBoundingClientRect().left,
    );
    await expectFreeButtons();
  }
});

test('the buttons of every kind of own message are in its bubble, without a column beside it', async () => {
  await openChatOf('Alice', { viewport: { width: 360, height: 900 } }, async (server, room) => {
    await sendMediaAs(server, 'Alice', room, await createImageFile(600, 200));
    await sendMediaAs(server, 'Alice', room, await createImageFile(60, 60));
    await sendMediaAs(server, 'Alice', room, createRecordingFile(3));
    for (const text of ['🎉', 'No', 'A text that needs more than one line. '.repeat(4)]) {
      await sendTextAs(server, 'Alice', room, text);
    }
  });
  await expect.element(messageWith('more than one line')).toBeVisible();
  const rows = page.getByRole('article').elements();
  expect(rows).toHaveLength(7);
  for (const row of rows) {
    const bubble = row.querySelector('[data-message]');
    const time = bubble?.querySelector('time')?.getBoundingClientRect();
    for (const icon of row.querySelectorAll('button:not([aria-haspopup]) > svg')) {
      const label = icon.parentElement?.ariaLabel;
      if (label !== t('message.edit') && label !== t('message.delete')) continue;
      expect(bubble?.contains(icon)).toBe(true);
      const { top, bottom } = icon.getBoundingClientRect();
      expect(top).toBeGreaterThan((time?.top ?? 0) - 2);
      expect(bottom).toBeLessThan((time?.bottom ?? 0) + 2);
    }
    expect(bubble?.querySelectorAll(`[aria-label="${t('message.delete')}"]`)).toHaveLength(1);
  }
  const width = (text: string) => messageWith(text).element().getBoundingClientRect().width;
  expect(width('No')).toBeLessThan(190);
});

test('Tab leads from a message to its buttons and to those of no other message', async () => {
  await openChatOf('Alice', {}, async (server, room) => {
    await sendTextAs(server, 'Alice', room, 'Second');
  });
  const row = page.getByRole('article').filter({ has: messageWith('Second') });
  await expect.element(row).toBeVisible();
  (row.element() as HTMLElement).focus();
  for (const name of [t('message.edit'), t('message.delete'), t('message.menu')]) {
    await userEvent.tab();
    await expect.element(row.getByRole('button', { name })).toHaveFocus();
    expect(getComputedStyle(row.getByRole('button', { name }).element()).opacity).toBe('1');
  }
  await userEvent.tab();
  expect(
    page
      .getByRole('article')
      .elements()
      .some((each) => each.contains(document.activeElement)),
  ).toBe(false);
});

test('a text has the same size before and after the server has it', async () => {
  const { server } = await openChatOf('Alice', { reducedMotion: true });
  const release = holdRequests(server, 'sendMessage');
  await userEvent.fill(messageBox(), 'ok');
  await userEvent.keyboard('{Enter}');
  await expect.element(messageWith('ok')).toHaveAttribute('data-state', 'sending');
  const size = () => {
    const { width, height } = messageWith('ok').element().getBoundingClientRect();
    return [Math.round(width), Math.round(height)];
  };
  const before = size();
  release();
  await expect.element(messageWith('ok')).toHaveAttribute('data-state', 'sent');
  expect(size()).toEqual(before);
});
