import type { Locator, Page } from 'playwright/test';
import { signInElsewhere } from './support/browser-user.ts';
import { message } from './support/chat.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator, localeOf, TEST_LANGUAGES, type Translator } from './support/texts.ts';

const HELLO = 'Hello Bob!';
const THUMB = '👍';
const t = createTranslator('en');

/** Returns the reactions to a message. */
function chips(page: Page, text = HELLO): Locator {
  const row = page.getByRole('article').filter({ has: message(page, text) });
  return row.getByRole('list').getByRole('listitem');
}

/** Returns a reaction to a message, which a click toggles. */
function chip(page: Page, translate: Translator, emoji: string, who: string): Locator {
  const name = translate('reaction.chip', { emoji, who });
  return chips(page).getByRole('button', { name, exact: true });
}

async function openMenu(page: Page, text = HELLO): Promise<Locator> {
  await message(page, text).click({ button: 'right', position: { x: 12, y: 12 } });
  const menu = page.getByRole('menu');
  await expect(menu).toBeVisible();
  return menu;
}

function quickEmoji(page: Page, translate: Translator, emoji: string): Locator {
  const name = translate('reaction.react', { emoji });
  return page.getByRole('menuitemcheckbox', { name, exact: true });
}

for (const language of TEST_LANGUAGES) {
  const translate = createTranslator(language);

  test(`reactions are shown to both members and on all devices (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice, bob, room } = await openSharedChatroom(newPage, server, { language });
    const [you, both] = [
      translate('reaction.you'),
      (name: string) => translate('reaction.youAnd', { name }),
    ];

    await test.step('with a quick reaction of the menu', async () => {
      const menu = await openMenu(bob.page);
      await expect(menu.getByRole('menuitemcheckbox')).toHaveCount(7);
      await quickEmoji(bob.page, translate, THUMB).click();
      await expect(menu).toHaveCount(0);
      await expect(chip(bob.page, translate, THUMB, you)).toHaveAttribute('aria-pressed', 'true');
      await expect(chip(alice.page, translate, THUMB, 'Bob')).toHaveAttribute(
        'aria-pressed',
        'false',
      );
    });

    await test.step('a click on a reaction adds and takes back the own one', async () => {
      await chip(alice.page, translate, THUMB, 'Bob').click();
      await expect(chip(alice.page, translate, THUMB, both('Bob'))).toHaveText(/2$/);
      await expect(chip(bob.page, translate, THUMB, both('Alice'))).toHaveText(/2$/);
      await chip(bob.page, translate, THUMB, both('Alice')).click();
      await expect(chip(alice.page, translate, THUMB, you)).toBeVisible();
      await expect(chip(bob.page, translate, THUMB, 'Alice')).toBeVisible();
    });

    await test.step('a second device shows and changes them', async () => {
      const phone = await signInElsewhere(await newPage({ locale: localeOf(language) }), bob);
      await goToChatroom(phone, room);
      await chip(phone, translate, THUMB, 'Alice').click();
      await expect(chip(bob.page, translate, THUMB, both('Alice'))).toBeVisible();
      await expect(chip(alice.page, translate, THUMB, both('Bob'))).toBeVisible();
    });

    await test.step('the menu shows and takes back the own ones', async () => {
      await openMenu(alice.page);
      const quick = quickEmoji(alice.page, translate, THUMB);
      await expect(quick).toHaveAttribute('aria-checked', 'true');
      await quick.click();
      await expect(chip(bob.page, translate, THUMB, you)).toBeVisible();
    });
  });
}

test('the avatar and the buttons stay beside the bubble of a message with reactions', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  await openMenu(bob.page);
  await quickEmoji(bob.page, t, THUMB).click();
  await expect(chips(alice.page)).toHaveCount(1);
  await expect(chips(bob.page)).toHaveCount(1);
  const boxOf = async (locator: Locator) => {
    const box = await locator.boundingBox();
    if (!box) throw new Error('nothing is displayed');
    return { bottom: box.y + box.height, middle: box.y + box.height / 2 };
  };
  const row = (page: Page) => page.getByRole('article').filter({ has: message(page, HELLO) });
  const bubble = await boxOf(message(bob.page, HELLO));
  const avatar = await boxOf(row(bob.page).locator('img').first());
  expect(Math.abs(avatar.bottom - bubble.bottom)).toBeLessThanOrEqual(2);
  const own = await boxOf(message(alice.page, HELLO));
  const remove = row(alice.page).getByRole('button', { name: t('message.delete') });
  expect(Math.abs((await boxOf(remove)).middle - own.middle)).toBeLessThanOrEqual(2);
});
