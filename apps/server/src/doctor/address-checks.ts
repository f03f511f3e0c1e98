import { endpoints } from '@parley/contract';
import type { Config } from '../config.ts';
import { checkClock } from './clock-check.ts';
import { createFindings, type Finding } from './finding.ts';
import {
  isExpected,
  parseFoundConfig,
  readInstanceId,
  type ExpectedInstance,
} from './expected-instance.ts';
import { describeLocal, probeLocally } from './local-server.ts';
import { describeProbeError, explainCertificate } from './probe-error.ts';
import { createUniqueUrl, probe, probeUpgrade, type ProbeResponse } from './probe.ts';
import { checkProxy, type IdleTime } from './proxy-check.ts';

const DAY = 24 * 60 * 60 * 1000;
/** Days before its expiry at which a certificate should have been renewed. */
const RENEWAL_DAYS_MIN = 14;

/** What nginx, Caddy and Apache respond to a request without TLS on a port with it. */
const NEEDS_TLS =
  /plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server|speaking plain HTTP to an SSL/i;

const server = createFindings('server');
const address = createFindings('public address');
const socket = createFindings('websocket');

/**
 * Checks the server itself, then its public address. Both have to use the database of this configuration. `idleTime` is
 * for how long a websocket is left idle.
 */
export async function checkAddresses(config: Config, idleTime: IdleTime): Promise<Finding[]> {
  const expected = await readInstanceId(config);
  const ready = await checkServer(config);
  const local = ready.outcome === 'ok' ? await checkIdentity(config, ready, expected) : ready;
  const { dataDir, publicUrl } = config;
  if (publicUrl === undefined) {
    return [local, address.skipped('PARLEY_PUBLIC_URL is not set.')];
  }
  const [found, ...clocks] = await checkPublic(publicUrl, expected);
  if (found === undefined || found.outcome === 'failed') {
    const skipped = socket.skipped('Needs a working public address.');
    return [local, ...(found === undefined ? [] : [found]), ...clocks, skipped];
  }
  return [
    local,
    found,
    ...clocks,
    await checkWebsocket(publicUrl),
    ...(await checkProxy({ dataDir, publicUrl }, idleTime)),
  ];
}

/** Checks whether the server responds on this machine. */
export async function checkServer(config: Config): Promise<Finding> {
  if (config.port === 0) {
    return server.warning(
      'PARLEY_PORT is 0, so the server listens on a port that this command does not know.',
      'Set it to a port such as 3000.',
    );
  }
  const origin = describeLocal(config);
  try {
    const { status, body } = await probeLocally(config, endpoints.getReadiness.path);
    if (status === 200) return server.ok(`ready at ${origin}`);
    return server.failed(
      `${origin} is not ready (${status} ${body.slice(0, 200)}).`,
      'Check its log. If another program uses this port, choose another PARLEY_PORT.',
    );
  } catch (error) {
    const code = describeProbeError(error);
    return server.warning(
      `No server responds at ${origin} (${code}).`,
      /ENOTFOUND|EAI_AGAIN|EADDRNOTAVAIL|EINVAL/.test(code)
        ? 'Set PARLEY_HOST to an address of this machine, such as 127.0.0.1.'
        : 'Start the server with the same variables as this command.',
    );
  }
}

/** Checks that a server that is ready is the one whose data this command examines. */
async function checkIdentity(
  config: Config,
  ready: Finding,
  expected: ExpectedInstance | undefined,
): Promise<Finding> {
  const origin = describeLocal(config);
  try {
    const { body } = await probeLocally(config, endpoints.getConfig.path);
    if (isExpected(parseFoundConfig(body), expected)) return ready;
  } catch {
    // It was ready a moment ago, so it is just stopping.
    return ready;
  }
  return server.failed(
    `Another server responds at ${origin}: it does not use the database of this command.`,
    'Run this command with the variables of the server. If both are to run, choose another PARLEY_PORT.',
  );
}

/** Returns the finding about the public address, and then one about the clocks if they are known. */
async function checkPublic(
  publicUrl: string,
  expected: ExpectedInstance | undefined,
): Promise<Finding[]> {
  const url = createUniqueUrl(endpoints.getConfig.path, publicUrl);
  let response: ProbeResponse;
  try {
    response = await probe(url);
  } catch (error) {
    return [await explainUnreachable(url, error)];
  }
  const clocks = checkClock(publicUrl, response.clockDifference);
  return [explainResponse(publicUrl, response, expected), ...clocks];
}

function explainResponse(
  publicUrl: string,
  { status, body, location, validity }: ProbeResponse,
  expected: ExpectedInstance | undefined,
): Finding {
  const found = parseFoundConfig(body);
  const target = URL.parse(location ?? '', publicUrl);
  const isRedirect = status >= 300 && status < 400 && target !== null;
  if (isRedirect && !/^https?:$/.test(target.protocol)) {
    return address.failed(
      `${publicUrl} redirects to an address with ${target.protocol}, which browsers do not open as a website.`,
      'Remove the redirect.',
    );
  }
  if (isRedirect && target.origin !== publicUrl) {
    return address.failed(
      `${publicUrl} redirects to ${target.origin}.`,
      `If users open ${target.origin}, set PARLEY_PUBLIC_URL to it. Otherwise, remove the redirect.`,
    );
  }
  if (status === 400 && publicUrl.startsWith('http:') && NEEDS_TLS.test(body)) {
    const secure = publicUrl.replace('http:', 'https:');
    return address.failed(
      `${publicUrl} leads to a port that needs https.`,
      `Set PARLEY_PUBLIC_URL=${secure} and restart the server.`,
    );
  }
  if (status !== 200 || found?.product !== 'parley') {
    return address.failed(
      `${publicUrl} responds, but not as Parley (${status}).`,
      [502, 503, 504].includes(status)
        ? 'Start the server, and configure the proxy to forward to its PARLEY_HOST and PARLEY_PORT.'
        : 'Configure the proxy to forward every path to PARLEY_HOST and PARLEY_PORT, and check that the server is running.',
    );
  }
  if (!isExpected(found, expected)) {
    return address.failed(
      `${publicUrl} leads to another server: it does not use the database of this command.`,
      'Check PARLEY_PUBLIC_URL, the DNS entry of its name, and to which host and port the proxy forwards it.',
    );
  }
  if (validity === undefined) return address.ok(publicUrl);
  const days = Math.floor((validity.to.getTime() - Date.now()) / DAY);
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
    const { status, socket: open } = await probeUpgrade(url);
    open?.destroy();
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
    return socket.failed(
      `Websockets do not work (${describeProbeError(error)}).`,
      adviceFor(describeProbeError(error)),
    );
  }
}

/** Explains why no response arrived. A rejected certificate is looked at again, without trusting it. */
async function explainUnreachable(url: URL, error: unknown): Promise<Finding> {
  const code = describeProbeError(error);
  if (/CERT|SIGNED|UNABLE_TO_/.test(code)) {
    const seen = await probe(url, { isLenient: true }).catch(() => undefined);
    const { validity, clockDifference } = seen ?? {};
    const rejected = { code, host: url.hostname, variable: 'PARLEY_PUBLIC_URL' };
    const explained = explainCertificate({ ...rejected, validity, clockDifference });
    if (explained !== undefined) return address.failed(...explained);
  }
  return address.failed(`${url.origin} cannot be reached (${code}).`, adviceFor(code));
}

function adviceFor(code: string): string {
  if (/ENOTFOUND|EAI_AGAIN/.test(code)) return 'Create a DNS entry for that name.';
  if (/WRONG_VERSION|EPROTO/.test(code)) {
    return 'The port does not speak TLS. Configure the proxy to do so, or correct the port in PARLEY_PUBLIC_URL.';
  }
  if (code.startsWith('HPE_')) {
    return 'The port does not speak HTTP. If it speaks TLS, set PARLEY_PUBLIC_URL to an address with https.';
  }
  return 'Start the proxy, and open its port in the firewall.';
}
