import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';

const KEYS = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
const read = (value: string, env: Record<string, string> = KEYS) =>
  readConfig({ ...env, PARLEY_MEDIA_STORE: value }).mediaStore;

test('reads the place of a bucket and the keys', () => {
  expect(read('s3://media/a/b/?endpoint=https://s3.example.org/&region=eu-1')).toEqual({
    endpoint: 'https://s3.example.org',
    region: 'eu-1',
    bucket: 'media',
    prefix: 'a/b/',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
  });
  expect(read('s3://media?endpoint=http://10.0.0.1:9000')).toMatchObject({
    endpoint: 'http://10.0.0.1:9000',
    region: 'us-east-1',
    prefix: '',
  });
  expect(read('s3://media?region=eu-central-1')).toMatchObject({
    endpoint: 'https://s3.eu-central-1.amazonaws.com',
  });
  expect(readConfig({}).mediaStore).toBeUndefined();
});

test.each([
  ['https://media', "PARLEY_MEDIA_STORE is 'https://media', but must be"],
  ['s3://', "PARLEY_MEDIA_STORE is 's3://', but must be"],
  ['s3://Media_1', 'does not name a bucket'],
  ['s3://key:secret@media', "must not contain keys or a port before the '?'"],
  ['s3://media/a%20b', 'may only have letters, digits'],
  ['s3://media?endpoint=ftp://example.org', 'is not an http or https URL'],
  ['s3://media?endpoint=https://key@example.org', 'is not an http or https URL'],
  ['s3://media?region=EU', 'has an invalid region'],
  ['s3://media?endpont=https://example.org', "has the unknown parameter 'endpont'"],
])('explains what is wrong with %s', (value, problem) => {
  expect(() => read(value)).toThrow(problem);
});

test('asks for the keys', () => {
  expect(() => read('s3://media', { AWS_ACCESS_KEY_ID: 'key' })).toThrow(
    'AWS_SECRET_ACCESS_KEY must be set, because PARLEY_MEDIA_STORE is.',
  );
  expect(() => read('s3://media', { ...KEYS, AWS_SECRET_ACCESS_KEY: '"secret"' })).toThrow(
    'AWS_SECRET_ACCESS_KEY contains spaces, quotes or other characters that no key has.',
  );
});
