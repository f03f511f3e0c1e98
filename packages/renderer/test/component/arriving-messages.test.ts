import { createTranslator } from '@parley/texts/translator';
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { nextFrames } from './support/next-frames.ts';
import { openApp, type AppOptions } from './support/open-app.ts';

const t = createTranslator('en');
const list = page.getByRole('region', { name: t('room.messages', { name: '' }), exact: false });

interface Animated {
  text: string;
  milliseconds: number;
  properties: readonly string[];
  /** How much longer the list is during the animation, in pixels. */
  growth: number;
}

/** Returns the properties that an animation changes. */
function propertiesOf(name: string): string[] {
  const properties: string[] = [];
  for (const { cssRules } of document.styleSheets) {
    for (const rule of cssRules) {
      if (!(rule instanceof CSSKeyframesRule) || rule.name !== name) continue;
      for (const frame of rule.cssRules) properties.push(...(frame as CSSKeyframeRule).style);
    }
  }
  return properties;
}

/** Collects the animations of messages that start from now on. */
function collectAnimations(): Animated[] {
  const found: Animated[] = [];
  const handleStart = ({ target, animationName }: AnimationEvent) => {
    const row = target instanceof Element && target.closest('[data-key]');
    if (!row || !/arrive|fade-in/.test(animationName)) return;
    found.push({
      text: row.querySelector('[data-message]')?.textContent ?? '',
      milliseconds: Number.parseFloat(getComputedStyle(target).animationDuration) * 1_000,
      properties: propertiesOf(animationName),
      growth: row.scrollHeight - row.clientHeight,
    });
  };
  document.addEventListener('animationstart', handleStart);
  onTestFinished(() => document.removeEventListener('animationstart', handleStart));
  return found;
}

/** Opens a chatroom with 120 messages, of which the page has the newest 50. */
async function openLongChat(options: Pick<AppOptions, 'reducedMotion'> = {}) {
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  for (let i = 1; i <= 120; i += 1) {
    await sendTextAs(server, 'Alice', room, `Line ${i}.`);
  }
  const animations = collectAnimations();
  await openApp({ ...options, server, user: 'Alice', path: `/chatarea/chats/${room}` });
  await expect.element(messageWith('Line 120.')).toBeInViewport();
  return { server, room, animations };
}

async function send(text: string): Promise<void> {
  await userEvent.fill(messageBox(), text);
  await userEvent.keyboard('{Enter}');
  await expect.element(messageWith(text)).toHaveAttribute('data-state', 'sent');
}

/** Returns the name of the animation that the styles give the row of a message. */
function rowAnimation(text: string): string {
  const bubble = messageWith(text).element().closest('article')?.firstElementChild;
  return bubble ? getComputedStyle(bubble).animationName : '';
}

test('a sent message rises once and makes the list no longer, and a received one appears', async () => {
  const { server, room, animations } = await openLongChat();
  await send('Rising');
  await expect.poll(() => animations.length).toBe(1);
  await sendTextAs(server, 'Bob', room, 'Received');
  await expect.element(messageWith('Received')).toBeInViewport();
  await expect.poll(() => animations.length).toBe(2);
  for (const [index, text] of ['Rising', 'Received'].entries()) {
    const animation = animations[index];
    expect(animation?.text).toContain(text);
    expect(animation?.milliseconds).toBeGreaterThanOrEqual(120);
    expect(animation?.milliseconds).toBeLessThanOrEqual(200);
    expect(animation?.properties.toSorted()).toEqual(['opacity', 'transform']);
    expect(animation?.growth).toBe(0);
  }
});

test('no message is animated when a chatroom opens, or when older ones and known ones are rendered', async () => {
  const { animations } = await openLongChat();
  await send('Rising');
  await expect.poll(() => animations.length).toBe(1);
  const element = list.element();
  await expect.poll(() => rowAnimation('Rising')).toBe('none');
  const scrollTo = async (position: 'top' | 'bottom') => {
    element.dispatchEvent(new WheelEvent('wheel', { deltaY: position === 'top' ? -1 : 1 }));
    element.scrollTop = position === 'top' ? 0 : element.scrollHeight;
    await nextFrames();
  };
  await expect
    .poll(async () => {
      await scrollTo('top');
      return messageWith('Line 1.').elements().length;
    })
    .toBeGreaterThan(0);
  await expect
    .poll(async () => {
      await scrollTo('bottom');
      return messageWith('Rising').elements().length;
    })
    .toBe(1);
  await nextFrames();
  expect(animations).toHaveLength(1);
});

test('a sent message does not rise with reduced motion', async () => {
  const { animations } = await openLongChat({ reducedMotion: true });
  await send('Rising');
  await nextFrames();
  expect(animations.filter(({ milliseconds }) => milliseconds > 1)).toEqual([]);
});
