import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@parley/testing';
import { findDebianProgram } from './debian-program.ts';
import { until } from './until.ts';

const EXAMPLES = join(import.meta.dirname, '../deploy');

/** Caddy in front of a server, with a certificate of its local authority. */
export interface Caddy {
  /** PEM certificate of the authority. */
  authority: string;
  close(): Promise<void>;
}

/** Finds a Caddy to run, as {@link findDebianProgram} does. */
export function findCaddy(): string | undefined {
  return findDebianProgram('caddy', 'usr/bin/caddy', 'version');
}

/** The ports of Caddy and of the servers behind it. */
interface CaddyPorts {
  readonly tls: number;
  readonly server: number;
  /** Port of a second server. With it, the example of several servers is used. */
  readonly secondServer?: number;
}

/**
 * Starts Caddy with the example configuration, changing only the name and the ports. `sites` are added to it.
 */
export async function startCaddy(
  executable: string,
  ports: CaddyPorts,
  sites: readonly string[] = [],
): Promise<Caddy> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-caddy-'));
  const plainPort = await findFreePort();
  const name = ports.secondServer === undefined ? 'Caddyfile' : 'several-servers/Caddyfile';
  const example = readFileSync(join(EXAMPLES, name), 'utf8')
    .replace(/^chat\.example\.org \{/m, 'localhost {')
    .replace('127.0.0.1:3000', `127.0.0.1:${ports.server}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${ports.secondServer}`);
  // For names such as localhost, Caddy uses its local authority instead of a public one.
  const options = `{
	admin off
	skip_install_trust
	http_port ${plainPort}
	https_port ${ports.tls}
	default_bind 127.0.0.1
}
`;
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, [options, example, ...sites].join('\n'));
  const child = spawn(executable, ['run', '--adapter', 'caddyfile', '--config', file], {
    env: { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const root = join(folder, 'caddy/pki/authorities/local/root.crt');
  await until(() => {
    if (child.exitCode !== null) throw new Error(`Caddy ended: ${log}`);
    const obtained = log.split('certificate obtained successfully').length - 1;
    return existsSync(root) && obtained > sites.length;
  });
  return {
    authority: readFileSync(root, 'utf8'),
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
