import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { chatRowOf } from './support/locators.ts';
import { openApp } from './support/open-app.ts';

const t = createTranslator('en');

test('the title shows the unread count', async () => {
  const server = createServerWith(['Alice', 'Bob', 'Carla']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  await openApp({ server, user: 'Bob' });
  const expectTitle = (title: string) => expect.poll(() => document.title).toBe(title);
  const chats = t('app.pageTitle', { page: t('frame.chats') });
  const counted = (count: number) => t('app.unreadTitle', { count, title: chats });
  await expectTitle(counted(1));
  await sendTextAs(server, 'Alice', room, 'One more');
  await expectTitle(counted(2));
  await createChatBetween(server, ['Carla', 'Bob'], 'Me too');
  await expectTitle(counted(3));

  await chatRowOf('Alice').click();
  const title = t('app.pageTitle', { page: 'Alice' });
  await expectTitle(t('app.unreadTitle', { count: 1, title }));
  expect(page.getByCss('[data-message]').elements()).toHaveLength(2);
  expect(location.pathname).toBe(`/chatarea/chats/${room}`);
  await chatRowOf('Carla').click();
  await expectTitle(t('app.pageTitle', { page: 'Carla' }));
});
