import { endpoints } from '@parley/contract';
import type { Config } from '../config.ts';
import { createFindings, type Finding } from './finding.ts';
import { readInstanceId, type ExpectedInstance } from './expected-instance.ts';
import { probe, type ProbeResponse } from './probe.ts';

const DAY = 24 * 60 * 60 * 1000;
/** Days before its expiry at which a certificate should have been renewed. */
const RENEWAL_DAYS_MIN = 14;

const server = createFindings('server');
const address = createFindings('public address');
const socket = createFindings('websocket');

/** Checks the server itself, then its public address. Both have to use the database of this configuration. */
export async function checkAddresses(config: Config): Promise<Finding[]> {
  const expected = await readInstanceId(config);
  const ready = await checkServer(config);
  const local = ready.outcome === 'ok' ? await checkIdentity(config, ready, expected) : ready;
  const { publicUrl } = config;
  if (publicUrl === undefined) {
    return [local, address.skipped('PARLEY_PUBLIC_URL is not set.')];
  }
  const found = await checkPublic(publicUrl, expected);
  if (found.outcome === 'failed') {
    return [local, found, socket.skipped('Needs a working public address.')];
  }
  return [local, found, await checkWebsocket(publicUrl)];
}

/** Checks whether the server responds on this machine. */
export async function checkServer(config: Config): Promise<Finding> {
  const url = new URL(endpoints.getReadiness.path, localOrigin(config));
  try {
    const { status, body } = await probe(url);
    if (status === 200) return server.ok(`ready at ${url.origin}`);
    return server.failed(
      `${url.origin} is not ready (${status} ${body.slice(0, 200)}).`,
      'Check its log. If another program uses this port, choose another PARLEY_PORT.',
    );
  } catch (error) {
    return server.warning(
      `No server responds at ${url.origin} (${describeError(error)}).`,
      'Start the server with the same variables as this command.',
    );
  }
}

function localOrigin({ host, port }: Config): string {
  const at = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${at.includes(':') ? `[${at}]` : at}:${port}`;
}

/** Checks that a server that is ready is the one whose data this command examines. */
async function checkIdentity(
  config: Config,
  ready: Finding,
  expected: ExpectedInstance | undefined,
): Promise<Finding> {
  const origin = localOrigin(config);
  try {
    const { body } = await probe(new URL(endpoints.getConfig.path, origin));
    if (isExpected(parseConfig(body), expected)) return ready;
  } catch {
    // It was ready a moment ago, so it is just stopping.
    return ready;
  }
  return server.failed(
    `Another server responds at ${origin}: it does not use the database of this command.`,
    'Run this command with the variables of the server. If both are to run, choose another PARLEY_PORT.',
  );
}

async function checkPublic(
  publicUrl: string,
  expected: ExpectedInstance | undefined,
): Promise<Finding> {
  let response: ProbeResponse;
  try {
    response = await probe(new URL(endpoints.getConfig.path, publicUrl));
  } catch (error) {
    return address.failed(
      `${publicUrl} cannot be reached (${describeError(error)}).`,
      adviceFor(error),
    );
  }
  const found = parseConfig(response.body);
  if (response.status !== 200 || found?.product !== 'parley') {
    return address.failed(
      `${publicUrl} responds, but not as Parley (${response.status}).`,
      'Configure the proxy to forward every path to PARLEY_HOST and PARLEY_PORT, and check that the server is running.',
    );
  }
  if (!isExpected(found, expected)) {
    return address.failed(
      `${publicUrl} leads to another server: it does not use the database of this command.`,
      'Check PARLEY_PUBLIC_URL, the DNS entry of its name, and to which host and port the proxy forwards it.',
    );
  }
  if (response.validTo === undefined) return address.ok(publicUrl);
  const days = Math.floor((response.validTo.getTime() - Date.now()) / DAY);
  return days < RENEWAL_DAYS_MIN
    ? address.warning(
        `The certificate of ${publicUrl} expires in ${days} days.`,
        'Check its automatic renewal.',
      )
    : address.ok(`${publicUrl}, with a certificate valid for ${days} days`);
}

/**
 * Sends an upgrade request without a session: the server rejects it with 401, or with 400 if a proxy
 * strips the upgrade.
 */
async function checkWebsocket(publicUrl: string): Promise<Finding> {
  const url = new URL(`${endpoints.connect.path}?EIO=4&transport=websocket`, publicUrl);
  try {
    const { status } = await probe(url, true);
    if (status === 401) return socket.ok('works');
    if (status === 403) {
      return socket.failed(
        `The server rejects ${publicUrl} as a foreign origin.`,
        'Start it with this PARLEY_PUBLIC_URL, and configure the proxy to forward the Host header.',
      );
    }
    return socket.failed(
      `Websockets do not work (${status}).`,
      'Configure the proxy to forward the Upgrade and Connection headers; see the examples in the deploy folder.',
    );
  } catch (error) {
    return socket.failed(`Websockets do not work (${describeError(error)}).`, adviceFor(error));
  }
}

/** The part of a server's public configuration that is needed here. */
interface FoundConfig {
  readonly product?: unknown;
  readonly instance?: unknown;
}

function parseConfig(body: string): FoundConfig | undefined {
  try {
    const value: FoundConfig | null = JSON.parse(body);
    return value ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns whether a server uses the expected database, as far as it is known: servers of older versions, such as
 * those that are upgraded one after the other, do not say which one they use.
 */
function isExpected(
  found: FoundConfig | undefined,
  expected: ExpectedInstance | undefined,
): boolean {
  if (expected === undefined) return true;
  if (found?.product !== 'parley') return false;
  return found.instance === undefined || found.instance === expected.id;
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timed out';
  return 'code' in error ? String(error.code) : error.message;
}

function adviceFor(error: unknown): string {
  const code = describeError(error);
  if (/CERT_HAS_EXPIRED/.test(code)) return 'Renew the certificate.';
  if (/ALTNAME/.test(code)) return 'Get a certificate for the name in PARLEY_PUBLIC_URL.';
  if (/SELF_SIGNED|UNABLE_TO_/.test(code)) {
    return 'Browsers will not trust this certificate either. Get one from a public certificate authority, and serve its full chain.';
  }
  if (/ENOTFOUND|EAI_AGAIN/.test(code)) return 'Create a DNS entry for that name.';
  return 'Start the proxy, and open its port in the firewall.';
}
