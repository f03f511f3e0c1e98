import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith } from './support/act-as.ts';
import { focusOn } from './support/focus-on.ts';
import { chatRowOf } from './support/locators.ts';
import { openApp } from './support/open-app.ts';

const t = createTranslator('en');

test('more than three requests are collapsed, and arrow keys reach all of them', async () => {
  const names = ['Alice', 'Twenty_characters_xx', 'Carla', 'Dora', 'Emma'];
  const server = createServerWith(['Bob', ...names]);
  for (const name of names) {
    const options = { isRequest: name !== 'Alice' };
    await createChatBetween(server, [name, 'Bob'], `Hello from ${name}`, options);
  }
  await openApp({ server, user: 'Bob', viewport: { width: 360, height: 740 } });
  const rows = page.getByCss('[data-chat]');
  const expectRows = (count: number) => expect.poll(() => rows.elements()).toHaveLength(count);
  const showAll = page.getByRole('button', { name: t('requests.showAll', { count: 4 }) });
  await expect.element(showAll).toBeVisible();
  await expectRows(4);
  const heading = page.getByRole('heading', { name: t('chatList.title'), level: 2 });
  await expect.element(heading).toBeVisible();

  focusOn(rows.first());
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  await expect.element(showAll).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(chatRowOf('Alice')).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}{Enter}');
  await expectRows(5);
  await expect.element(rows.nth(3)).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  const showFewer = page.getByRole('button', { name: t('requests.showFewer') });
  await expect.element(showFewer).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expectRows(4);

  // Another device deletes the focused request.
  focusOn(rows.first());
  const id = rows.first().element().getAttribute('data-chat') ?? '';
  await actAs(server, 'Bob').call('declineRequest', { params: { id } });
  await expect.element(page.getByCss(`[data-chat="${id}"]`)).not.toBeInTheDocument();
  await expect.element(rows.first()).toHaveFocus();
});
