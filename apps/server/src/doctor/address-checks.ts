import { endpoints } from '@parley/contract';
import type { Config } from '../config.ts';
import { findings, type Finding } from './finding.ts';
import { probe, type Probe } from './probe.ts';

const DAY = 24 * 60 * 60 * 1000;
/** Certificates are renewed well before; one that has less left is a sign that it does not happen. */
const RENEWED_BEFORE = 14;

const server = findings('server');
const address = findings('public address');
const socket = findings('websocket');

/** The server itself, then the way to it that people take. */
export async function checkAddresses(config: Config): Promise<Finding[]> {
  const local = await checkServer(config);
  const { publicUrl } = config;
  if (publicUrl === undefined) {
    return [local, address.skipped('PARLEY_PUBLIC_URL is not set.')];
  }
  const found = await checkPublic(publicUrl);
  if (found.outcome === 'failed') {
    return [local, found, socket.skipped('The public address has to work first.')];
  }
  return [local, found, await checkWebsocket(publicUrl)];
}

/** Whether the server answers on this machine. */
export async function checkServer({ host, port }: Config): Promise<Finding> {
  const at = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = new URL(
    `http://${at.includes(':') ? `[${at}]` : at}:${port}${endpoints.getReadiness.path}`,
  );
  try {
    const { status, body } = await probe(url);
    if (status === 200) return server.ok(`ready at ${url.origin}`);
    return server.failed(
      `${url.origin} is not ready (${status} ${body.slice(0, 200)}).`,
      'Look into its log. If another program answers there, choose another PARLEY_PORT.',
    );
  } catch (error) {
    return server.warning(
      `Nothing answers at ${url.origin} (${reason(error)}).`,
      'Start the server with the same variables as this command.',
    );
  }
}

async function checkPublic(publicUrl: string): Promise<Finding> {
  let answer: Probe;
  try {
    answer = await probe(new URL(endpoints.getConfig.path, publicUrl));
  } catch (error) {
    return address.failed(`${publicUrl} cannot be reached (${reason(error)}).`, advice(error));
  }
  if (answer.status !== 200 || !isParley(answer.body)) {
    return address.failed(
      `${publicUrl} answers, but not as Parley (${answer.status}).`,
      'Let the proxy pass every path on to PARLEY_HOST and PARLEY_PORT, and see that the server runs.',
    );
  }
  if (answer.validTo === undefined) return address.ok(publicUrl);
  const days = Math.floor((answer.validTo.getTime() - Date.now()) / DAY);
  return days < RENEWED_BEFORE
    ? address.warning(
        `The certificate of ${publicUrl} expires in ${days} days.`,
        'See that it is renewed by itself.',
      )
    : address.ok(`${publicUrl}, its certificate is valid for ${days} days`);
}

/** Without a session, an upgrade that arrives is refused with 401; one that the proxy swallows, with 400. */
async function checkWebsocket(publicUrl: string): Promise<Finding> {
  const url = new URL(`${endpoints.connect.path}?EIO=4&transport=websocket`, publicUrl);
  try {
    const { status } = await probe(url, true);
    if (status === 401) return socket.ok('passes through');
    if (status === 403) {
      return socket.failed(
        `The server takes ${publicUrl} for a foreign site.`,
        'Start it with this PARLEY_PUBLIC_URL, and let the proxy pass the Host header on.',
      );
    }
    return socket.failed(
      `Websockets do not pass through (${status}).`,
      'Let the proxy pass on Upgrade and Connection: see the examples in the folder deploy.',
    );
  } catch (error) {
    return socket.failed(`Websockets do not pass through (${reason(error)}).`, advice(error));
  }
}

function isParley(body: string): boolean {
  try {
    const value: { product?: unknown } = JSON.parse(body);
    return value.product === 'parley';
  } catch {
    return false;
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'no answer in time';
  return 'code' in error ? String(error.code) : error.message;
}

function advice(error: unknown): string {
  const code = reason(error);
  if (/CERT_HAS_EXPIRED/.test(code)) return 'Renew the certificate.';
  if (/ALTNAME/.test(code)) return 'Get a certificate for the name in PARLEY_PUBLIC_URL.';
  if (/SELF_SIGNED|UNABLE_TO_/.test(code)) {
    return 'Browsers will not trust this certificate either: get one of a public authority, and serve its whole chain.';
  }
  if (/ENOTFOUND|EAI_AGAIN/.test(code)) return 'Make the DNS entry of that name.';
  return 'Start the proxy, and open its port in the firewall.';
}
