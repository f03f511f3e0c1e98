import { ApiError, createMemoryStorage, type ApiClient } from '@parley/client';
import { createInstance } from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { beforeEach, expect, test, vi } from 'vitest';
import { AppContext } from '../../app/app-context.ts';
import type { AppServices } from '../../app/create-app-services.ts';
import { completePendingSignOut, savePendingSignOut } from '../../app/pending-sign-out.ts';
import { useSignIn } from './use-sign-in.ts';

let isVerified: boolean;
let currentUser: () => Promise<unknown>;
const call = vi.fn<(name: string) => Promise<unknown>>(async (name) => {
  if (name === 'login') return { isVerified };
  if (name === 'getCurrentUser') return currentUser();
  throw new ApiError('offline', 0, 'the logout failed');
});
const api = {
  origin: 'http://localhost',
  checkUser: () => undefined,
  call,
} as unknown as ApiClient;

beforeEach(() => {
  isVerified = true;
  currentUser = async () => ({ username: 'Ada' });
  vi.useFakeTimers();
  vi.stubGlobal('localStorage', createMemoryStorage());
});

const loadNextScreen = () => Promise.resolve();

function renderUseSignIn(): ReturnType<typeof useSignIn> {
  let signIn: ReturnType<typeof useSignIn> | undefined;
  function Capture() {
    signIn = useSignIn(loadNextScreen);
    return null;
  }
  renderToStaticMarkup(
    <I18nextProvider i18n={createInstance()}>
      <AppContext value={{ api } as AppServices}>
        <Capture />
      </AppContext>
    </I18nextProvider>,
  );
  if (!signIn) throw new Error('the hook did not run');
  return signIn;
}

test('only a successful login cancels a pending sign-out, which would end the new session', async () => {
  savePendingSignOut();
  isVerified = false;
  await expect(renderUseSignIn()('ada@example.org', 'secret')).rejects.toThrow();
  expect(await completePendingSignOut(api)).toBe(false);
  isVerified = true;
  await renderUseSignIn()('ada@example.org', 'secret');
  call.mockClear();
  expect(await completePendingSignOut(api)).toBe(true);
  await vi.runAllTimersAsync();
  expect(call).not.toHaveBeenCalled();
});

test.each([
  ['whose cookie the browser did not keep', undefined, 'session_lost'],
  ['that was ended elsewhere immediately', 'revoked', 'unauthenticated'],
] as const)('rejects a login %s', async (_, sessionEnded, code) => {
  currentUser = async () => {
    throw new ApiError('unauthenticated', 401, '', { sessionEnded });
  };
  await expect(renderUseSignIn()('ada@example.org', 'secret')).rejects.toMatchObject({ code });
});
