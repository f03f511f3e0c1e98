import { expect, test, vi } from 'vitest';
import { createProxyCredentials, type AskPerson } from './proxy-credentials.ts';

const first = { host: 'proxy.lan', port: 3128, realm: 'Office', isFirstAttempt: true };
const ada = { username: 'ada', password: 'secret' };

test('many requests ask one question, later ones none', async () => {
  const ask = vi.fn<AskPerson>(async () => ada);
  const answer = createProxyCredentials(ask);
  expect(await Promise.all([answer(first), answer(first), answer(first)])).toEqual([ada, ada, ada]);
  expect(await answer(first)).toEqual(ada);
  expect(ask).toHaveBeenCalledOnce();
});

test('a wrong answer is asked for again, another proxy for itself', async () => {
  const ask = vi.fn<AskPerson>(async () => ada);
  const answer = createProxyCredentials(ask);
  await answer(first);
  await answer({ ...first, isFirstAttempt: false });
  await answer({ ...first, realm: 'Guests' });
  expect(ask).toHaveBeenCalledTimes(3);
});

test('who gives none is asked at the next request', async () => {
  const ask = vi.fn<AskPerson>(async () => undefined);
  const answer = createProxyCredentials(ask);
  expect(await answer(first)).toBeUndefined();
  expect(await answer(first)).toBeUndefined();
  expect(ask).toHaveBeenCalledTimes(2);
});
