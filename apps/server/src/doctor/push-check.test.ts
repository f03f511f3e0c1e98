import { expect, test } from 'vitest';
import { pushSubscription } from '../../test/push-subscription.ts';
import { startServer } from '../../test/harness.ts';
import { checkPush } from './push-check.ts';

test('warns of a missing contact once there are devices that may need it', async () => {
  const server = await startServer();
  const { storage } = server.ctx;
  const without = { operator: {}, publicUrl: undefined };
  expect(await checkPush(storage, without)).toMatchObject({
    outcome: 'ok',
    message: '0 devices with notifications',
  });
  const bob = await server.signIn('bob');
  const body = pushSubscription('https://push.example.org/a');
  expect((await bob.request('POST', '/api/notifications/subscription', body)).status).toBe(200);
  expect(await checkPush(storage, without)).toMatchObject({
    outcome: 'warning',
    message: expect.stringContaining('1 device with notifications, but push services'),
    advice: expect.stringContaining('PARLEY_OPERATOR_EMAIL'),
  });
  const http = { operator: {}, publicUrl: 'http://chat.example.org' };
  expect((await checkPush(storage, http)).outcome).toBe('warning');
  for (const contact of [
    { operator: { email: 'op@example.org' }, publicUrl: undefined },
    { operator: {}, publicUrl: 'https://chat.example.org' },
  ]) {
    expect(await checkPush(storage, contact)).toMatchObject({
      outcome: 'ok',
      message: '1 device with notifications',
    });
  }
  await server.close();
});
