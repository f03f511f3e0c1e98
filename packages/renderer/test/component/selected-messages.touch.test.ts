import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { contentsSeenBy, createChatBetween, sendTextAs } from './support/act-as.ts';
import { expectPath } from './support/expect-path.ts';
import { messageBox, messageWith, toastWith } from './support/locators.ts';
import { menuItem, messageMenu, messageRow } from './support/message-menu.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { centerOf, holdFinger, swipeFinger } from './support/pointer-input.ts';
import { tap } from './support/tap.ts';

const PHONE = { viewport: { width: 360, height: 740 } };
const selected = () => page.getByCss('article[data-selecting="on"]');

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const name = (key: 'message.forward' | 'selection.cancel') =>
    page.getByRole('button', { name: t(key), exact: true });

  test(`messages are selected with a long press and taps, and forwarded (${language})`, async () => {
    let carla = '';
    const { server, path } = await openChatOf(
      'Bob',
      { ...PHONE, language },
      async (created, id) => {
        carla = await createChatBetween(created, ['Bob', 'Carla']);
        await sendTextAs(created, 'Alice', id, 'the second');
        await sendTextAs(created, 'Bob', id, 'the third');
      },
    );
    const second = messageWith('the second');
    const select = async () => {
      const lift = await holdFinger(second);
      await expect.element(messageMenu).toBeVisible();
      await lift();
      await tap(menuItem(t('message.select')));
      await expect.element(messageMenu).not.toBeInTheDocument();
      await expect.poll(() => selected().elements()).toHaveLength(1);
    };
    await select();
    await expect.element(messageBox()).not.toBeInTheDocument();

    // A swipe does not reply, nor does the back gesture leave the chat.
    const [x, y] = centerOf(second.element().getBoundingClientRect());
    await swipeFinger([x, y], [x + 150, y]);
    history.back();
    await expect.element(messageBox()).toBeVisible();
    await expectPath(path);
    await expect
      .element(page.getByRole('button', { name: t('reply.cancel') }))
      .not.toBeInTheDocument();

    await select();
    await tap(name('selection.cancel'));
    await expect.element(messageBox()).toBeVisible();
    await expect.element(messageBox()).not.toHaveFocus();
    await select();
    await tap(messageRow(messageWith('the third')));
    await tap(messageRow(messageWith('Hello Bob!')));
    await expect.poll(() => selected().elements()).toHaveLength(3);
    await tap(messageRow(messageWith('Hello Bob!')));
    await expect.poll(() => selected().elements()).toHaveLength(2);
    await tap(name('message.forward'));
    const dialog = page.getByRole('dialog', { name: t('forward.title') });
    await tap(dialog.getByRole('option', { name: 'Carla', exact: true }));
    await tap(dialog.getByRole('button', { name: t('forward.send'), exact: true }));
    await expect.element(toastWith(t('forward.done', { name: 'Carla' }))).toBeVisible();
    await expect
      .poll(() => contentsSeenBy(server, 'Carla', carla))
      .toEqual(['Hello Carla!', 'the second', 'the third']);
  });
}
