import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith } from './support/act-as.ts';
import { messageWith, messageBox } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { expectPath } from './support/expect-path.ts';

const t = createTranslator('en');

test('searching and writing first explain a block and closed people', async () => {
  const server = createServerWith(['Alice', 'Bob', 'Carla']);
  const id = await createChatBetween(server, ['Alice', 'Bob']);
  const close = (whoMayWrite: 'everyone' | 'invited' | 'nobody') =>
    actAs(server, 'Carla').call('changeSettings', { body: { whoMayWrite } });
  const search = async (name: string) => {
    await page.getByLabelText(t('findUser.username'), { exact: true }).fill(name);
    await userEvent.keyboard('{Enter}');
  };

  await openApp({ server, user: 'Bob', path: `/chatarea/chats/${id}` });
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
  await actAs(server, 'Bob').call('blockPartner', { params: { id } });
  await expectPath('/chatarea');
  await page
    .getByRole('link', { name: t('findUser.open') })
    .first()
    .click();
  const form = page.getByCss('form');
  await search('alice');
  const refused = `${t('findUser.failed')} ${t('block.refused')}`;
  await expect.element(form.getByText(refused)).toBeVisible();

  await close('invited');
  await search('carla');
  await expect.element(form).toMatchTextContent(t('findUser.closed', { name: 'Carla' }));
  await close('everyone');
  await search('carla');
  await expectPath('/chatarea/chats/new-chatroom/Carla');
  await close('nobody');
  await messageBox().fill('Hello Carla!');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText(t('findUser.closed', { name: 'Carla' }))).toBeVisible();
  await expect.element(messageBox()).toHaveValue('Hello Carla!');
});
