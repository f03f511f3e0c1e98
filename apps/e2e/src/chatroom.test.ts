import { message, messages, textBox } from './support/chat.ts';
import { openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

test('an edited message changes for both users', async ({ server, newPage }) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const box = textBox(alice.page);
  await box.press('ArrowUp');
  await expect(box).toHaveValue('Hello Bob!');
  await box.fill('Hello Bob, dear!');
  await box.press('Enter');
  for (const { page } of [alice, bob]) {
    await expect(message(page, 'Hello Bob, dear!')).toContainText(t('message.updated'));
    await expect(messages(page)).toHaveCount(1);
  }
});
