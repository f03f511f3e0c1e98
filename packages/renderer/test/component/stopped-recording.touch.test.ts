import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openChatOf } from './support/open-chat-of.ts';
import { centerOf, tapAt } from './support/pointer-input.ts';
import { tap } from './support/tap.ts';

const t = createTranslator('en');

test('a tap in the place of the record button starts a recording, and another one stops and sends it', async () => {
  await openChatOf('Alice', { viewport: { width: 360, height: 740 } });
  const record = page.getByRole('button', { name: t('composer.record') });
  const place = centerOf(record.element().getBoundingClientRect());
  await tapAt(place);
  const bar = page.getByRole('region', { name: t('recorder.title') });
  await expect.element(bar.getByText(/^0:0[1-9]$/)).toBeVisible();
  await tapAt(place);
  await expect.element(bar).not.toBeInTheDocument();
  const player = page.getByRole('group', { name: t('audio.own') });
  await expect.element(player).toBeVisible();
});

test('the controls of a paused recording are beside each other in the narrowest windows', async () => {
  await openChatOf('Alice', { viewport: { width: 320, height: 568 } });
  await tap(page.getByRole('button', { name: t('composer.record') }));
  const bar = page.getByRole('region', { name: t('recorder.title') });
  await expect.element(bar.getByText(/^0:0[1-9]$/)).toBeVisible();
  await tap(bar.getByRole('button', { name: t('recorder.pause') }));
  await expect.element(bar.getByRole('group')).toBeVisible();
  const boxes = bar
    .getByRole('button')
    .elements()
    .map((button) => button.getBoundingClientRect());
  expect(boxes).toHaveLength(5);
  expect(boxes.every(({ right }, index) => right <= (boxes[index + 1]?.left ?? 320))).toBe(true);
});
