import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createServerWith } from './support/act-as.ts';
import { expectPath } from './support/expect-path.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { BACKWARDS, pressWithKeys, reachWithKeys } from './support/reach-with-keys.ts';

const t = createTranslator('en');
const EMAIL = 'alice@example.org';
const heading = page.getByRole('heading', { level: 1 });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const radio = (name: string) => page.getByRole('radio', { name });

/** Moves the focus to a field with Tab and types into it. */
async function typeWithKeys(label: string, text: string): Promise<void> {
  await reachWithKeys(page.getByLabelText(t(label), { exact: true }));
  await userEvent.keyboard(text);
}

test('a user can register, chat, change settings and delete the account with the keyboard alone', async () => {
  const server = createServerWith(['Bob']);
  await openApp({ server, path: '/register', reducedMotion: true });
  await typeWithKeys('field.email', EMAIL);
  await typeWithKeys('field.username', 'Alice');
  await typeWithKeys('field.password', 'correct horse');
  await reachWithKeys(page.getByRole('checkbox'));
  await userEvent.keyboard(' ');
  await expect.element(page.getByRole('checkbox')).toBeChecked();
  await pressWithKeys(button(t('register.submit')));
  await expectPath('/register/verify');
  await typeWithKeys('verify.key', server.keyFor(EMAIL));
  await pressWithKeys(button(t('verify.submit')));
  await expectPath('/');
  await typeWithKeys('field.password', 'correct horse{Enter}');
  await expectPath('/chatarea');

  await pressWithKeys(page.getByRole('link', { name: t('findUser.open') }).first());
  await typeWithKeys('findUser.username', 'Bob{Enter}');
  await expect.poll(() => location.pathname).toMatch(/\/new-chatroom\//);
  await reachWithKeys(messageBox());
  await userEvent.keyboard('Hello Bob!{Enter}');
  await expect.poll(() => location.pathname).toMatch(/\/chatarea\/chats\/[0-9a-f-]{36}$/);
  await expect.element(messageWith('Hello Bob!')).toHaveAttribute('data-state', 'sent');
  await pressWithKeys(button(t('message.edit')));
  await expect.element(messageBox()).toHaveFocus();
  await userEvent.keyboard('{End} How are you?{Enter}');
  await expect.element(messageWith('How are you?')).toMatchTextContent(t('message.updated'));
  await pressWithKeys(button(t('message.delete')));
  const confirmation = page.getByRole('alertdialog');
  await pressWithKeys(confirmation.getByRole('button', { name: t('app.delete') }));
  await expect.element(messageWith('How are you?')).not.toBeInTheDocument();
  await expect.element(messageBox()).toHaveFocus();

  await pressWithKeys(button(t('frame.menu', { name: 'Alice' })));
  await reachWithKeys(page.getByRole('menuitem', { name: t('frame.settings') }), 'ArrowDown');
  await userEvent.keyboard('{Enter}');
  await expectPath('/settings');
  await reachWithKeys(radio(t('settings.volumeMiddle')));
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(radio(t('settings.volumeLoud'))).toBeChecked();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(radio(t('settings.volumeMiddle'))).toBeChecked();
  await reachWithKeys(radio('English'), BACKWARDS);
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(heading).toHaveTextContent(createTranslator('de')('settings.title'));
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(heading).toHaveTextContent(t('settings.title'));

  await pressWithKeys(button(t('settings.delete')));
  const cancel = confirmation.getByRole('button', { name: t('settings.deleteCancel') });
  await expect.element(cancel).toHaveFocus();
  await pressWithKeys(confirmation.getByRole('button', { name: t('settings.deleteConfirm') }));
  await expectPath('/');
});
