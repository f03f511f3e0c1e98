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

test('pausing moves neither the button that pauses nor the one that sends in the narrowest windows', async () => {
  await openChatOf('Alice', { viewport: { width: 320, height: 568 } });
  await tap(page.getByRole('button', { name: t('composer.record') }));
  const bar = page.getByRole('region', { name: t('recorder.title') });
  await expect.element(bar.getByText(/^0:0[1-9]$/)).toBeVisible();
  const placeOf = (key: 'pause' | 'resume' | 'stop' | 'send'): DOMRect =>
    bar
      .getByRole('button', { name: t(`recorder.${key}`), exact: true })
      .element()
      .getBoundingClientRect();
  const [pause, stop] = [placeOf('pause'), placeOf('stop')];
  await tapAt(centerOf(pause));
  const player = bar.getByRole('group');
  await expect.element(player).toBeVisible();
  expect(placeOf('resume')).toEqual(pause);
  expect(placeOf('send')).toEqual(stop);
  // Above them, beside the button that discards.
  const discard = bar.getByRole('button', { name: t('recorder.discard') });
  const { left, right, bottom } = player.element().getBoundingClientRect();
  expect(bottom).toBeLessThanOrEqual(pause.top);
  expect(left).toBeGreaterThanOrEqual(discard.element().getBoundingClientRect().right);
  expect(right).toBeLessThanOrEqual(320);
  await tapAt(centerOf(pause));
  await expect.element(player).not.toBeInTheDocument();
  expect(placeOf('pause')).toEqual(pause);
});
