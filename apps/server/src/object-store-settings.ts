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

const EXAMPLE = 's3://bucket/folder?endpoint=https://s3.example.org&region=us-east-1';

/**
 * Parses a URL such as `s3://bucket/folder?endpoint=https://s3.example.org&region=us-east-1`. The
 * keys come from the environment. Returns the problems, as sentences for the operator, if it is
 * invalid.
 */
export function parseObjectStore(
  value: string,
  env: Readonly<Record<string, string | undefined>>,
): ObjectStoreSettings | readonly string[] {
  const problems: string[] = [];
  const report = (problem: string) => problems.push(`PARLEY_MEDIA_STORE ${problem}`);
  const url = URL.parse(value);
  if (url === null) return [`PARLEY_MEDIA_STORE is not a URL such as ${EXAMPLE}.`];
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = env;

  if (url.username !== '' || url.password !== '' || url.port !== '') {
    report(`must not contain keys or a port before the '?', as in ${EXAMPLE}.`);
  }
  const bucket = url.hostname;
  if (!BUCKET.test(bucket)) report(`does not name a bucket, as in ${EXAMPLE}.`);
  const folder = url.pathname.replaceAll(/^\/+|\/+$/g, '');
  const prefix = folder === '' ? '' : `${folder}/`;
  if (!PREFIX.test(prefix) || /(?:^|\/)\.{1,2}\//.test(prefix)) {
    report('may only have letters, digits, and the characters . _ - in its folder.');
  }
  for (const name of url.searchParams.keys()) {
    if (name !== 'endpoint' && name !== 'region') report(`has the unknown parameter '${name}'.`);
  }
  const region = url.searchParams.get('region') ?? DEFAULT_REGION;
  if (!REGION.test(region)) report('has an invalid region.');
  const endpoint = url.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`;
  if (!isEndpoint(endpoint)) report('has an endpoint that is not an http or https URL.');
  if (accessKeyId === '' || secretAccessKey === '') {
    report('needs the keys of the store in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  }
  if (problems.length > 0) return problems;
  const trimmed = endpoint.replace(/\/+$/, '');
  return { endpoint: trimmed, region, bucket, prefix, accessKeyId, secretAccessKey };
}

function isEndpoint(value: string): boolean {
  const url = URL.parse(value);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.search === '' &&
    url.hash === ''
  );
}
