import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { openApp } from './support/open-app.ts';
import { expectPath } from './support/expect-path.ts';

const t = createTranslator('en');

test('chatrooms of other users and unknown chatrooms lead to the same 404 page', async () => {
  const server = createServerWith(['Alice', 'Bob', 'Carla']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  const { reload } = await openApp({ server, user: 'Carla' });
  for (const id of [room, '01890000-0000-7000-8000-000000000000', 'nonsense']) {
    await reload('/chatarea');
    await reload(`/chatarea/chats/${id}`);
    await expectPath('/404');
    const heading = page.getByRole('heading', { level: 1 });
    await expect.element(heading).toMatchTextContent(t('notFound.title'));
  }
});
