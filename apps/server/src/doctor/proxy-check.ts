import type { Duplex } from 'node:stream';
import { endpoints, LIMITS } from '@parley/contract';
import type { Config } from '../config.ts';
import { normalizeAddress } from '../http/client-address.ts';
import { isLoopbackAddress, isLoopbackHost } from '../http/loopback.ts';
import { callServer, findServer } from '../operator/operator-client.ts';
import { createProbeTokenOperation } from '../operator/operations.ts';
import { parseArrival, PONG, PROBE_HEADER, type RequestArrival } from '../public-probe/arrival.ts';
import { createFindings, type Finding } from './finding.ts';
import { describeProbeError } from './probe-error.ts';
import { createUniqueUrl, probe, probeUpgrade } from './probe.ts';

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
        `Requests arrive at a server of another version, or the proxy removes the header ${PROBE_HEADER} or responds from a cache.`,
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
  const url = createUniqueUrl(endpoints.getConfig.path, publicUrl);
  const response = await probe(url, {
    headers: { ...headers, 'x-forwarded-for': FORGED },
  }).catch(() => undefined);
  return parseArrival(response?.body ?? '');
}

function explainArrival(publicUrl: string, arrival: RequestArrival): Finding[] {
  const { protocol, client, peer, isPeerTrusted, forwardedProto, forwardedFor } = arrival;
  const isHttps = publicUrl.startsWith('https:');
  const isProxied = isHttps || forwardedFor !== FORGED || forwardedProto !== undefined;
  if (!isProxied && client !== FORGED) return [proxy.ok('requests arrive without one')];
  if (!isProxied && isLoopbackAddress(peer) && isLoopbackHost(new URL(publicUrl).host)) {
    return [
      proxy.ok(
        `requests arrive without one; PARLEY_TRUST_PROXY contains ${peer}, so programs on this machine can claim any address`,
      ),
    ];
  }
  const found = explainClient(arrival);
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
  return [
    proxy.ok(
      `requests arrive from ${peer} with the addresses of clients, such as ${client} of this machine`,
    ),
  ];
}

/**
 * Explains by which address the server counts a client, unless it is the right one. What proxies add to X-Forwarded-For
 * begins with the client's address, as the first of them sees it.
 */
function explainClient({ client, peer, isPeerTrusted, ...arrival }: RequestArrival): Finding[] {
  const entries = (arrival.forwardedFor ?? '').split(',').map((entry) => entry.trim());
  const isPassedOn = entries[0] === FORGED;
  const first = normalizeAddress(entries[isPassedOn ? 1 : 0]);
  if (isPassedOn && client === FORGED) {
    if (entries.length > 1) {
      return [
        proxy.skipped(
          `It cannot be judged from this machine whether clients can forge their address, because PARLEY_TRUST_PROXY of the running server trusts the address of this machine, ${first}.`,
        ),
      ];
    }
    return [
      proxy.failed(
        `Clients can forge their address: ${peer} passes on their X-Forwarded-For, and PARLEY_TRUST_PROXY of the running server trusts it.`,
        `If that is your proxy, configure it to replace the header: ${FOR_EXAMPLE}. Otherwise, correct PARLEY_TRUST_PROXY.`,
      ),
    ];
  }
  if (first === undefined) {
    return [
      proxy.failed(
        'The proxy does not send the addresses of clients in X-Forwarded-For, so all users share the same limits.',
        `Configure it to set the header: ${FOR_EXAMPLE}.`,
      ),
    ];
  }
  if (isPeerTrusted && first !== client) {
    return [
      proxy.failed(
        `Requests also pass ${client}, which PARLEY_TRUST_PROXY of the running server does not contain, so all users behind it share the same limits.`,
        `If that is a proxy of yours, add it, such as PARLEY_TRUST_PROXY=${peer},${client}, and restart the server.`,
      ),
    ];
  }
  return [];
}

const FOR_EXAMPLE = 'in nginx, proxy_set_header X-Forwarded-For $remote_addr';
const PROTO_EXAMPLE =
  "in nginx, proxy_set_header X-Forwarded-Proto $scheme; in Apache, RequestHeader set X-Forwarded-Proto 'https'";

async function checkUploads(site: Site): Promise<Finding> {
  const size = `${Math.round(UPLOAD_MAX / 2 ** 20)} MiB`;
  const explainLimit = (reason: string) =>
    uploads.failed(
      `The proxy does not forward uploads of ${size} (${reason}).`,
      'Allow bodies of 11 MiB: in nginx, client_max_body_size 11m; in Caddy, request_body { max_size 11MiB }; in Apache, LimitRequestBody 11534336.',
    );
  try {
    const { status, received } = await upload(site, UPLOAD_MAX);
    if (received === UPLOAD_MAX) return uploads.ok(`${size} arrive`);
    if (received !== undefined) return explainLimit(`only ${received} bytes arrived`);
    // Caddy responds to large bodies as if the server were down.
    const isLimit = status === 413 || (status === 502 && (await upload(site, 1)).received === 1);
    if (isLimit) return explainLimit(`response ${status}`);
    return uploads.failed(
      `The proxy refuses an upload of ${size} with the status ${status}.`,
      'Check its log. It may limit the rate of requests, such as with limit_req in nginx, or restrict the paths or methods that it forwards.',
    );
  } catch (error) {
    const code = describeProbeError(error);
    // A proxy that does not read a body that is too large.
    if (/ECONNRESET|ECONNABORTED|EPIPE/.test(code)) return explainLimit(code);
    return uploads.failed(
      `An upload of ${size} gets no response (${code}).`,
      'Check the log of the proxy and its time-outs.',
    );
  }
}

/** Uploads bytes. Returns how many arrived at the server, if it responds. */
async function upload(
  { publicUrl, headers }: Site,
  bodySize: number,
): Promise<{ status: number; received: number | undefined }> {
  const { status, body } = await probe(new URL(endpoints.uploadImage.path, publicUrl), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    bodySize,
    timeout: UPLOAD_TIMEOUT,
  });
  return { status, received: parseArrival(body)?.received };
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
    const responds = readStart(socket, PONG.length);
    const waiting = setTimeout(() => socket.write(PING), idleTime);
    const giveUp = setTimeout(() => socket.destroy(), idleTime + PONG_TIMEOUT);
    const response = await responds;
    clearTimeout(waiting);
    clearTimeout(giveUp);
    socket.destroy();
    const seconds = Math.floor((performance.now() - openedAt) / 1000);
    if (response.equals(PONG)) return idle.ok(`stays open for ${Math.round(idleTime / 1000)} s`);
    if (response.length > 0) {
      return idle.failed(
        'The proxy does not forward what is sent on a websocket: a ping gets no pong.',
        'Configure it to forward websockets unchanged; see the examples in the deploy folder.',
      );
    }
    return idle.failed(
      `The proxy closes or forgets a websocket after ${seconds} s, but the server sends a ping only every 25 s.`,
      'Raise its time-out for websockets to 75 s: in nginx, proxy_read_timeout 75s; in HAProxy, timeout tunnel 75s; in Caddy, no stream_timeout; and the idle time-out of a load balancer.',
    );
  } catch (error) {
    return idle.skipped(`Needs a working websocket (${describeProbeError(error)}).`);
  }
}

/** Reads the first bytes of a connection. Resolves with fewer if it closes before. */
async function readStart(socket: Duplex, length: number): Promise<Buffer> {
  let start = Buffer.alloc(0);
  return new Promise((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      start = Buffer.concat([start, chunk]);
      if (start.length >= length) resolve(start.subarray(0, length));
    });
    socket.once('close', () => resolve(start));
  });
}
