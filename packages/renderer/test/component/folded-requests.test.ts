import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith } from './support/act-as.ts';
import { focusOn } from './support/focus-on.ts';
import { chatRowOf } from './support/locators.ts';
import { openApp } from './support/open-app.ts';

const t = createTranslator('en');

test('quiet requests are one folded line, which tells how many are unread and which arrow keys reach', async () => {
  const names = ['Alice', 'Twenty_characters_xx', 'Carla', 'Dora', 'Emma'];
  const server = createServerWith(['Bob', ...names]);
  for (const name of names) {
    const options = { isRequest: name !== 'Alice' };
    await createChatBetween(server, [name, 'Bob'], `Hello from ${name}`, options);
  }
  await openApp({ server, user: 'Bob', viewport: { width: 360, height: 740 } });
  const rows = page.getByCss('[data-chat]');
  const expectRows = (count: number) => expect.poll(() => rows.elements()).toHaveLength(count);
  const requests = (count: number) =>
    page.getByRole('button', { name: t('requests.total_other', { count }), exact: false });
  const line = requests(4);
  await expect.element(line).toMatchTextContent(t('requests.unread_other', { count: 4 }));
  await expect.element(line).toHaveAttribute('aria-expanded', 'false');
  await expectRows(1);

  focusOn(chatRowOf('Alice'));
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(line).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expectRows(5);
  await expect.element(line).toHaveAttribute('aria-expanded', 'true');
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(rows.first()).toHaveFocus();
  await expect.element(rows.first()).toMatchTextContent(t('requests.row'));
  await expect.element(rows.first()).toMatchTextContent(t('chatList.unread_one', { count: 1 }));

  // Another device reads a request, and deletes the focused one.
  const id = rows.first().element().getAttribute('data-chat') ?? '';
  const other = rows.nth(1).element().getAttribute('data-chat') ?? '';
  await actAs(server, 'Bob').call('markAsRead', { params: { id: other }, body: null });
  await expect.element(line).toMatchTextContent(t('requests.unread_other', { count: 3 }));
  await actAs(server, 'Bob').call('declineRequest', { params: { id } });
  await expect.element(page.getByCss(`[data-chat="${id}"]`)).not.toBeInTheDocument();
  await expect.element(rows.first()).toHaveFocus();
  const fewer = requests(3);
  await expect.element(fewer).toMatchTextContent(t('requests.unread_other', { count: 2 }));
  await fewer.click();
  await expectRows(1);
});
