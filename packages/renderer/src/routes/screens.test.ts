import { expect, test } from 'vitest';
import { ScreenLoadError } from '../navigation/screen-load-error.ts';
import { lazyScreen, preloadScreens } from './screens.ts';

const Screen = () => null;
const fail = () => Promise.reject(new Error('offline'));

test('a screen is available once its code and its texts have loaded', async () => {
  const texts = Promise.withResolvers<void>();
  let isLoaded = false;
  const loading = lazyScreen(
    () => Promise.resolve(Screen),
    () => texts.promise.then(() => void (isLoaded = true)),
  )();
  texts.resolve();
  expect(await loading).toEqual({ Component: Screen });
  expect(isLoaded).toBe(true);
});

test('a screen whose code or texts cannot be loaded fails with the same error', async () => {
  const code = () => Promise.resolve(Screen);
  const texts = () => Promise.resolve();
  await expect(lazyScreen(fail, texts)()).rejects.toThrow(ScreenLoadError);
  await expect(lazyScreen(code, fail)()).rejects.toThrow(ScreenLoadError);
});

test('preloading goes on after texts or screens that cannot be loaded', async () => {
  let isLoaded = false;
  const load = () => {
    isLoaded = true;
    return Promise.resolve(Screen);
  };
  await preloadScreens({ first: fail, second: load }, fail);
  expect(isLoaded).toBe(true);
});
