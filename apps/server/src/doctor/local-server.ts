import { endpoints } from '@parley/contract';
import type { Config } from '../config.ts';
import { normalizeAddress } from '../http/client-address.ts';
import { findServer } from '../operator/operator-client.ts';
import { isExpected, parseFoundConfig, readInstanceId } from './expected-instance.ts';
import { probe, type ProbeResponse } from './probe.ts';

/** Milliseconds that a command waits for a server that it does not need. */
const OTHER_SERVER_TIMEOUT = 2_000;

/** Requests a path from the server on this machine. */
export function probeLocally(
  config: Config,
  path: string,
  timeout?: number,
): Promise<ProbeResponse> {
  // The host of a URL cannot be every address of this machine.
  const url = new URL(path, `http://localhost:${config.port}`);
  return probe(url, { address: localAddress(config), ...(timeout !== undefined && { timeout }) });
}

/** Returns the URL at which the server on this machine can be reached. */
export function describeLocal(config: Config): string {
  const at = localAddress(config);
  return `http://${at.includes(':') ? `[${at}]` : at}:${config.port}`;
}

/** Returns the address at which a server that may listen on all addresses can be reached. */
function localAddress({ host }: Config): string {
  switch (normalizeAddress(host)) {
    case '0.0.0.0':
      return '127.0.0.1';
    case '0:0:0:0:0:0:0:0':
      return '::1';
    default:
      return host;
  }
}

/**
 * Returns the URL of a Parley server on this machine that does not use the database of `config`; undefined if there
 * is none, or if it is unknown.
 */
export async function findOtherServer(config: Config): Promise<string | undefined> {
  if (config.port === 0) return undefined;
  try {
    // The server of this data folder may listen on a port that the command does not know.
    if ((await findServer(config.dataDir)) !== undefined) return undefined;
    const { path } = endpoints.getConfig;
    const { body } = await probeLocally(config, path, OTHER_SERVER_TIMEOUT);
    const found = parseFoundConfig(body);
    const isOther = found?.product === 'parley' && !isExpected(found, await readInstanceId(config));
    return isOther ? describeLocal(config) : undefined;
  } catch {
    return undefined;
  }
}
