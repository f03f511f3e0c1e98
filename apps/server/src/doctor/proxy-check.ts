import { endpoints, LIMITS } from '@parley/contract';
import type { Config } from '../config.ts';
import { callServer, findServer } from '../operator/operator-client.ts';
import { createProbeTokenOperation } from '../operator/operations.ts';
import { parseArrival, PROBE_HEADER, type RequestArrival } from '../public-probe/arrival.ts';
import { createFindings, type Finding } from './finding.ts';
import { describeProbeError } from './probe-error.ts';
import { probe, probeUpgrade } from './probe.ts';

const proxy = createFindings('proxy');
const uploads = createFindings('uploads');
const idle = createFindings('idle websocket');

/** An address for documentation (RFC 5737), which no client has. */
const FORGED = '192.0.2.1';

/** The largest upload, with the rest of its form, in bytes. */
const UPLOAD_MAX = Math.max(LIMITS.imageBytesMax, LIMITS.audioBytesMax) + 1024;
/** Milliseconds within which the largest upload should arrive. */
const UPLOAD_TIMEOUT = 120_000;

/** Milliseconds to wait for a response on a websocket that has been idle. */
const PONG_TIMEOUT = 10_000;
/** An empty ping frame of a websocket with a mask of zeros (RFC 6455 §5.5.2). */
const PING = Buffer.from([0x89, 0x80, 0, 0, 0, 0]);

/** For how long, in milliseconds, a websocket is left idle; undefined to skip that check. */
export type IdleTime = number | undefined;

/**
 * Checks what the proxy at the public address makes of requests. The running server describes how they arrive; it does
 * so only for those with a token that its socket gives to the operator.
 */
export async function checkProxy(
  { dataDir, publicUrl }: Pick<Config, 'dataDir'> & { readonly publicUrl: string },
  idleTime: IdleTime,
): Promise<Finding[]> {
  const token = await requestToken(dataDir);
  if (token === undefined) {
    return [proxy.skipped('Needs the running server of this data folder, of the same version.')];
  }
  const site: Site = { publicUrl, headers: { [PROBE_HEADER]: token } };
  const arrival = await requestArrival(site);
  if (arrival === undefined) {
    return [
      proxy.skipped(
        `Requests arrive at a server of another version, or the proxy removes the header ${PROBE_HEADER}.`,
      ),
    ];
  }
  const websocket = checkIdleWebsocket(site, idleTime);
  return [...explainArrival(publicUrl, arrival), await checkUploads(site), await websocket];
}

interface Site {
  readonly publicUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function requestToken(dataDir: string): Promise<string | undefined> {
  try {
    const server = await findServer(dataDir);
    if (server === undefined) return undefined;
    return (await callServer(server, createProbeTokenOperation, {})).token;
  } catch {
    // The check of the commands says why.
    return undefined;
  }
}

/** Requests what arrives of a request that claims to have been forwarded for {@link FORGED}. */
async function requestArrival({ publicUrl, headers }: Site): Promise<RequestArrival | undefined> {
  const url = new URL(endpoints.getConfig.path, publicUrl);
  const response = await probe(url, {
    headers: { ...headers, 'x-forwarded-for': FORGED },
  }).catch(() => undefined);
  return parseArrival(response?.body ?? '');
}

function explainArrival(publicUrl: string, arrival: RequestArrival): Finding[] {
  const { protocol, client, peer, isPeerTrusted, forwardedProto, forwardedFor = FORGED } = arrival;
  const isHttps = publicUrl.startsWith('https:');
  const setsFor = forwardedFor !== FORGED;
  const isProxied = isHttps || setsFor || forwardedProto !== undefined;
  if (!isProxied && client !== FORGED) return [proxy.ok('requests arrive without one')];
  const found: Finding[] = [];
  if (client === FORGED) {
    found.push(
      proxy.failed(
        `Clients can forge their address: ${peer} passes on their X-Forwarded-For, and PARLEY_TRUST_PROXY of the running server trusts it.`,
        `If that is your proxy, configure it to replace the header: ${FOR_EXAMPLE}. Otherwise, correct PARLEY_TRUST_PROXY.`,
      ),
    );
  } else if (!setsFor) {
    found.push(
      proxy.failed(
        'The proxy does not send X-Forwarded-For, so all users share the same limits.',
        `Configure it to set the header: ${FOR_EXAMPLE}.`,
      ),
    );
  }
  if (isHttps && forwardedProto === undefined) {
    found.push(
      proxy.failed(
        'The proxy does not send X-Forwarded-Proto, so cookies are not marked as secure.',
        `Configure it to set the header: ${PROTO_EXAMPLE}.`,
      ),
    );
  }
  if (!isPeerTrusted) {
    found.push(
      proxy.failed(
        `Requests arrive from ${peer}, which PARLEY_TRUST_PROXY of the running server does not trust, so ` +
          `${isHttps ? 'cookies are not marked as secure, and ' : ''}all users share the same limits.`,
        `If that is your proxy, set PARLEY_TRUST_PROXY=${peer} and restart the server.`,
      ),
    );
  } else if (isHttps && forwardedProto !== undefined && protocol !== 'https') {
    found.push(
      proxy.failed(
        `The proxy says with X-Forwarded-Proto that requests arrive by ${forwardedProto}, so cookies are not marked as secure.`,
        'Let the proxy that has the certificate set it to https, and others behind it pass it on.',
      ),
    );
  }
  if (found.length > 0) return found;
  return [proxy.ok(`requests arrive from ${peer} with the addresses of clients`)];
}

const FOR_EXAMPLE = 'in nginx, proxy_set_header X-Forwarded-For $remote_addr';
const PROTO_EXAMPLE =
  "in nginx, proxy_set_header X-Forwarded-Proto $scheme; in Apache, RequestHeader set X-Forwarded-Proto 'https'";

async function checkUploads({ publicUrl, headers }: Site): Promise<Finding> {
  const size = `${Math.round(UPLOAD_MAX / 2 ** 20)} MiB`;
  const reject = (reason: string) =>
    uploads.failed(
      `The proxy does not forward uploads of ${size} (${reason}).`,
      'Allow bodies of 11 MiB: in nginx, client_max_body_size 11m; in Caddy, request_body { max_size 11MiB }; in Apache, LimitRequestBody 11534336.',
    );
  try {
    const { status, body } = await probe(new URL(endpoints.uploadImage.path, publicUrl), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      bodySize: UPLOAD_MAX,
      timeout: UPLOAD_TIMEOUT,
    });
    const received = parseArrival(body)?.received;
    if (received === UPLOAD_MAX) return uploads.ok(`${size} arrive`);
    return reject(received === undefined ? `response ${status}` : `only ${received} bytes arrived`);
  } catch (error) {
    return reject(describeProbeError(error));
  }
}

/** Checks that a proxy keeps a websocket for as long as the server may send nothing. */
async function checkIdleWebsocket(
  { publicUrl, headers }: Site,
  idleTime: IdleTime,
): Promise<Finding> {
  if (idleTime === undefined) {
    return idle.skipped('Takes half a minute. Omit --quick to check it.');
  }
  const url = new URL(`${endpoints.connect.path}?EIO=4&transport=websocket`, publicUrl);
  try {
    const { status, socket } = await probeUpgrade(url, headers);
    if (socket === undefined) return idle.skipped(`Needs a working websocket (${status}).`);
    const openedAt = performance.now();
    const responds = new Promise<boolean>((resolve) => {
      socket.once('data', () => resolve(true));
      socket.once('close', () => resolve(false));
    });
    const waiting = setTimeout(() => socket.write(PING), idleTime);
    const giveUp = setTimeout(() => socket.destroy(), idleTime + PONG_TIMEOUT);
    const isAlive = await responds;
    clearTimeout(waiting);
    clearTimeout(giveUp);
    socket.destroy();
    const seconds = Math.floor((performance.now() - openedAt) / 1000);
    if (isAlive) return idle.ok(`stays open for ${Math.round(idleTime / 1000)} s`);
    return idle.failed(
      `The proxy closes or forgets a websocket after ${seconds} s, but the server sends a ping only every 25 s.`,
      'Raise its time-out for websockets to 75 s: in nginx, proxy_read_timeout 75s; in HAProxy, timeout tunnel 75s; in Caddy, no stream_timeout; and the idle time-out of a load balancer.',
    );
  } catch (error) {
    return idle.skipped(`Needs a working websocket (${describeProbeError(error)}).`);
  }
}
