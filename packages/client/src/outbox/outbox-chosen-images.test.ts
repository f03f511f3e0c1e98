import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  choose,
  createOutboxWorld,
  discardFile,
  eventually,
  states,
  untilEmpty,
  type OutboxTab,
  type OutboxWorld,
} from '../../test/outbox-world.ts';
import type { SendableImage } from './chosen-images.ts';

let world: OutboxWorld;
let tab: OutboxTab;

beforeEach(async () => {
  world = await createOutboxWorld();
  tab = await world.reopen();
});
afterEach(() => world.close());

const SIZE = { width: 30, height: 20 };

/** An image that is being read. */
interface Reading extends PromiseWithResolvers<SendableImage | undefined> {
  /** Aborted once the image is not needed. */
  readonly signal: AbortSignal;
}

/** Chooses an image whose bytes arrive with `arrive`. */
function read(name: string): Reading & { arrive: () => void } {
  const result = Promise.withResolvers<SendableImage | undefined>();
  let signal = AbortSignal.abort();
  tab.actions.chooseImage('a', name, (given) => {
    signal = given;
    return result.promise;
  });
  const image = { file: new File(['png'], name), media: SIZE };
  return { ...result, signal, arrive: () => result.resolve(image) };
}

const chosen = () => tab.stores.chosenImages.getState().images;
const names = () => chosen().map(({ name }) => name);
const isAwaited = () => tab.stores.chosenImages.getState().awaitedBy.includes('a');
const write = (text: string) => tab.stores.drafts.getState().change('a', { text });
const discardChosen = (name: string) =>
  tab.actions.discard(chosen().find((image) => image.name === name)?.clientId ?? '');

test('reads images at the same time and adds them in the order in which they are chosen', async () => {
  const [one, two, three] = [read('1.png'), read('2.png'), read('3.png')];
  expect(names()).toEqual(['1.png', '2.png', '3.png']);
  const ids = chosen().map(({ clientId }) => clientId);
  two.arrive();
  await eventually(() => expect(chosen()[1]?.image).toBeDefined());
  expect(states(tab)).toEqual([]);
  one.arrive();
  await eventually(() => expect(names()).toEqual(['3.png']));
  three.arrive();
  await eventually(() => expect(names()).toEqual([]));
  expect(states(tab).map(([name]) => name)).toEqual(['1.png', '2.png', '3.png']);
  const { entries } = tab.outboxStore.store.getState();
  expect(entries.map(({ clientId }) => clientId)).toEqual(ids);
  expect(entries.map(({ media }) => media)).toEqual([SIZE, SIZE, SIZE]);
});

test('sends a draft once its images are read, with the text as their caption', async () => {
  choose(tab, '0.png');
  const [one, two] = [read('1.png'), read('2.png')];
  write('Look at these');
  tab.actions.sendDraft('a');
  tab.actions.sendDraft('a');
  tab.actions.send('b', 'meanwhile');
  await eventually(() => expect(world.contents()).toEqual(['meanwhile']));
  two.arrive();
  await eventually(() => expect(chosen()[1]?.image).toBeDefined());
  expect(isAwaited()).toBe(true);
  one.arrive();
  await untilEmpty(tab);
  const images = ['0', '1', '2'].map((name) => `/media/png/${name}.png`);
  expect(world.contents()).toEqual(['meanwhile', ...images, 'Look at these']);
  expect(isAwaited()).toBe(false);
  expect(tab.stores.drafts.getState().drafts).toEqual({});
});

test.each<[string, (reading: Reading) => void]>([
  ['goes on writing', () => write('Look at this and')],
  ['chooses another image', () => read('2.png').arrive()],
  ['records a message', () => tab.actions.addMedia('audio', 'a', new Blob(['']), 'voice')],
  ['removes an image', () => discardFile(tab, '0.png')],
  ['removes the image that is being read', () => discardChosen('1.png')],
  [
    'replies to another message',
    () => tab.stores.drafts.getState().change('a', { replyTo: { messageId: 'm', seq: 1 } }),
  ],
  ['cannot send the image', ({ resolve }) => resolve(undefined)],
  ['cannot have the image read', ({ reject }) => reject(new Error('gone'))],
])('does not send a draft whose image is being read if the user then %s', async (_, change) => {
  choose(tab, '0.png');
  const one = read('1.png');
  write('Look at this');
  tab.actions.sendDraft('a');
  expect(isAwaited()).toBe(true);
  change(one);
  await eventually(() => expect(isAwaited()).toBe(false));
  one.arrive();
  await eventually(() => expect(names()).toEqual([]));
  expect(states(tab).every(([, state]) => state === 'draft')).toBe(true);
  expect(tab.stores.drafts.getState().drafts['a']?.text).toContain('Look at this');
});

test.each<[string, () => void]>([
  ['the user removes it', () => discardChosen('1.png')],
  ['the user signs out', () => tab.close()],
])('adds nothing of an image that is being read when %s', async (_, end) => {
  const one = read('1.png');
  end();
  expect(one.signal.aborted).toBe(true);
  one.arrive();
  await one.promise;
  await Promise.resolve();
  expect(states(tab)).toEqual([]);
});

test.each<[string, (reading: Reading) => void]>([
  ['is refused', ({ resolve }) => resolve(undefined)],
  ['cannot be read', ({ reject }) => reject(new Error('gone'))],
  ['is removed', () => discardChosen('1.png')],
])('adds the images behind one that %s', async (_, end) => {
  const [one, two] = [read('1.png'), read('2.png')];
  two.arrive();
  await eventually(() => expect(chosen()[1]?.image).toBeDefined());
  end(one);
  await eventually(() => expect(states(tab)).toEqual([['2.png', 'draft']]));
  expect(names()).toEqual([]);
});

test('saves an edit while an image is being read', async () => {
  const one = read('1.png');
  const editing = { messageId: 'm', seq: 1, original: 'a', text: 'b' };
  tab.stores.drafts.getState().change('a', { editing });
  tab.actions.sendDraft('a');
  expect(tab.outboxStore.store.getState().changes).toHaveLength(1);
  expect(isAwaited()).toBe(false);
  one.arrive();
  await eventually(() => expect(states(tab)).toEqual([['1.png', 'draft']]));
});
