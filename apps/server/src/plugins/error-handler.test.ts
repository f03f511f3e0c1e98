import Fastify from 'fastify';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { registerErrors } from './error-handler.ts';

/** Returns the status and the log messages for an error thrown by a route. */
async function respondTo(error: Error) {
  const log: string[] = [];
  const write = (line: string) => void log.push(JSON.parse(line).msg);
  const app = Fastify({ loggerInstance: pino({ level: 'info' }, { write }) });
  registerErrors(app as never);
  app.get('/', async () => {
    throw error;
  });
  const { statusCode } = await app.inject('/');
  return { statusCode, log: log.filter((message) => !/request/.test(message)) };
}

test('does not log requests rejected under load, so that a flood does not fill the log', async () => {
  expect(await respondTo(new AppError('unavailable', { retryAfter: 5 }))).toEqual({
    statusCode: 503,
    log: [],
  });
});

test('logs storage failures and unexpected errors', async () => {
  const busy = Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' });
  for (const error of [busy, new AppError('unavailable', { cause: busy })]) {
    expect(await respondTo(error)).toEqual({ statusCode: 503, log: ['storage failure'] });
  }
  expect(await respondTo(new AppError('storage_full'))).toMatchObject({ log: ['storage failure'] });
  expect(await respondTo(new Error('oops'))).toEqual({
    statusCode: 500,
    log: ['unexpected error'],
  });
});
