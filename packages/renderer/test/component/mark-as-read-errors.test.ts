import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { sendTextAs } from './support/act-as.ts';
import { toastWith } from './support/locators.ts';
import { openChatOf } from './support/open-chat-of.ts';

for (const language of TEST_LANGUAGES) {
  test(`a failure to mark messages as read is shown (${language})`, async () => {
    const t = createTranslator(language);
    const { server, room } = await openChatOf('Bob', { language });
    server.intercept('markAsRead', () => new Response(null, { status: 500 }));
    await sendTextAs(server, 'Alice', room, 'Read me');
    await expect.element(toastWith(t('error.server'))).toBeVisible();
  });
}
