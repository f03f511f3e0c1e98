import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { closeToast } from './support/close-toast.ts';
import { messageBox } from './support/locators.ts';
import { openChatOf } from './support/open-chat-of.ts';

/** The beginning that the specification sets for all errors of the microphone. */
const SPECIFIED = {
  en: 'Audio recording is not supported on this device. ',
  de: 'Audioaufnahmen werden auf diesem Gerät nicht unterstützt. ',
};

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`a denied, missing or unsupported microphone shows the specified text and a hint (${language})`, async () => {
    await openChatOf('Alice', { language });
    const record = page.getByRole('button', { name: t('composer.record') });
    const getUserMedia = vi.spyOn(navigator.mediaDevices, 'getUserMedia');
    for (const [name, key] of [
      ['NotAllowedError', 'recorder.denied'],
      ['NotFoundError', 'recorder.noDevice'],
    ] as const) {
      getUserMedia.mockRejectedValue(new DOMException('', name));
      await record.click();
      await closeToast(t(key));
    }
    getUserMedia.mockRestore();
    vi.stubGlobal('MediaRecorder', undefined);
    await record.click();
    await closeToast(t('recorder.unsupported'));
    vi.unstubAllGlobals();
    for (const key of ['denied', 'noDevice', 'unsupported']) {
      expect(t(`recorder.${key}`)).toMatch(new RegExp(`^${SPECIFIED[language]}[^.]+\\.$`));
    }
    await expect.element(messageBox()).toBeVisible();
  });
}
