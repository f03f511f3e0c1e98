import { chatRow, message, sendText } from './support/chat.ts';
import { openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

test('a text that looks like the address of an upload is sent and shown as text', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const text = `${server.url}/media/01995a3e-5f0c-7d6e-9c39-6f1f6a1e2b10.png`;
  await sendText(alice.page, text);
  for (const { page } of [alice, bob]) {
    await expect(message(page, text)).toHaveAttribute('data-state', 'sent');
    await expect(message(page, text).getByRole('link')).toHaveText(text);
    await expect(page.locator('[data-message] img')).toHaveCount(0);
    await expect(chatRow(page, page === alice.page ? 'Bob' : 'Alice')).not.toContainText(
      t('chatList.sentImage'),
    );
  }
});
