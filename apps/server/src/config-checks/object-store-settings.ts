import { isUrlHost } from './host-names.ts';

/** Where an S3-compatible object store is and how to sign in to it. */
export interface ObjectStoreSettings {
  /** URL without a trailing slash. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** The beginning of every key: empty, or a path with a trailing slash. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Region that stores without regions accept. */
const DEFAULT_REGION = 'us-east-1';

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?:[A-Za-z0-9._-]+\/)*$/;
const REGION = /^[a-z0-9-]+$/;

type Environment = Readonly<Record<string, string>>;
type Keys = Pick<ObjectStoreSettings, 'accessKeyId' | 'secretAccessKey'>;

/**
 * Parses a URL such as `s3://bucket/folder?endpoint=https://s3.example.org&region=us-east-1`. Returns what is wrong
 * with it, as sentences for the operator, if it is invalid.
 */
export function parseObjectStore(
  value: string,
): Omit<ObjectStoreSettings, keyof Keys> | readonly string[] {
  const url = URL.parse(value);
  if (url === null) return ['It is not a URL.'];
  const problems: string[] = [];
  if (url.username !== '' || url.password !== '' || url.port !== '') {
    problems.push("It must not contain keys or a port before the '?'.");
  }
  const bucket = url.hostname;
  if (!BUCKET.test(bucket)) problems.push('It does not name a bucket.');
  const folder = url.pathname.replaceAll(/^\/+|\/+$/g, '');
  const prefix = folder === '' ? '' : `${folder}/`;
  if (!PREFIX.test(prefix) || /(?:^|\/)\.{1,2}\//.test(prefix)) {
    problems.push('Its folder may only have letters, digits, and the characters . _ -');
  }
  for (const name of url.searchParams.keys()) {
    if (name !== 'endpoint' && name !== 'region') {
      problems.push(`It has the unknown parameter '${name}'.`);
    }
  }
  const region = url.searchParams.get('region') ?? DEFAULT_REGION;
  if (!REGION.test(region)) problems.push('It has an invalid region.');
  const endpoint = url.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`;
  if (!isEndpoint(endpoint)) problems.push('Its endpoint is not an http or https URL.');
  if (problems.length > 0) return problems;
  return { endpoint: endpoint.replace(/\/+$/, ''), region, bucket, prefix };
}

/** Returns the keys of the store, which may be empty. */
export function readKeys(env: Environment): Keys {
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = env;
  return { accessKeyId, secretAccessKey };
}

/** Returns what is wrong with the keys if media are in a store. */
export function findKeyProblems(env: Environment): readonly string[] {
  if (env['PARLEY_MEDIA_STORE'] === undefined || env['PARLEY_MEDIA_STORE'] === '') return [];
  return ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'].flatMap((name) => {
    const value = env[name] ?? '';
    if (value === '') return [`${name} must be set, because PARLEY_MEDIA_STORE is.`];
    return /^[!#-&(-~]+$/.test(value)
      ? []
      : [`${name} contains spaces, quotes or other characters that no key has.`];
  });
}

function isEndpoint(value: string): boolean {
  const url = URL.parse(value);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    isUrlHost(url.hostname) &&
    url.search === '' &&
    url.hash === ''
  );
}
