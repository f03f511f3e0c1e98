import Fastify from 'fastify';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { registerErrors } from './error-handler.ts';

/** The status of a response to what a route throws, and the messages of the log. */
async function answerTo(error: Error) {
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

test('a refusal under load is not logged, so that a flood does not fill the log', async () => {
  expect(await answerTo(new AppError('unavailable', { retryAfter: 5 }))).toEqual({
    statusCode: 503,
    log: [],
  });
});

test('trouble of the storage and unexpected errors are logged', async () => {
  const busy = Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' });
  for (const error of [busy, new AppError('unavailable', { cause: busy })]) {
    expect(await answerTo(error)).toEqual({ statusCode: 503, log: ['storage trouble'] });
  }
  expect(await answerTo(new AppError('storage_full'))).toMatchObject({ log: ['storage trouble'] });
  expect(await answerTo(new Error('oops'))).toEqual({ statusCode: 500, log: ['unexpected error'] });
});
