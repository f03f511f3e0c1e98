import { goToChatroom, openChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, localeOf, createTranslator } from './support/texts.ts';
import { dismissToast } from './support/dismiss-toast.ts';

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const specified = {
    en: 'Audio recording is not supported on this device. ',
    de: 'Audioaufnahmen werden auf diesem Gerät nicht unterstützt. ',
  }[language];

  test(`a denied, missing or unsupported microphone shows the specified text and a hint (${language})`, async ({
    server,
    newPage,
  }) => {
    const denied = { language, permissions: [] };
    const { alice, room } = await openChatroom(newPage, server, denied);
    await alice.page.getByRole('button', { name: t('composer.record') }).click();
    await dismissToast(alice.page, t('recorder.denied'));

    const page = await newPage({ locale: localeOf(language) });
    const { email, password } = alice;
    await page.request.post('/api/users/login', { data: { email, password } });
    await goToChatroom(page, room);
    const record = page.getByRole('button', { name: t('composer.record') });
    for (const [name, key] of [
      ['NotAllowedError', 'recorder.denied'],
      ['NotFoundError', 'recorder.noDevice'],
    ] as const) {
      await page.evaluate((reason) => {
        navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', reason));
      }, name);
      await record.click();
      await dismissToast(page, t(key));
    }
    await page.evaluate(() => Reflect.deleteProperty(window, 'MediaRecorder'));
    await record.click();
    await dismissToast(page, t('recorder.unsupported'));
    for (const key of ['denied', 'noDevice', 'unsupported']) {
      expect(t(`recorder.${key}`)).toMatch(new RegExp(`^${specified}[^.]+\\.$`));
    }
    await expect(page.getByRole('textbox')).toBeVisible();
  });
}
