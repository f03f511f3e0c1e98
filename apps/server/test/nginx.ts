import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@parley/testing';
import type { Certificate } from './certificate.ts';
import { findDebianProgram } from './debian-program.ts';
import { until } from './until.ts';

const EXAMPLES = join(import.meta.dirname, '../deploy');

/** nginx in front of a server. */
export interface Nginx {
  /** Port with TLS. */
  port: number;
  /** Port without TLS, which only redirects. */
  plainPort: number;
  close(): Promise<void>;
}

/** Finds an nginx to run, as {@link findDebianProgram} does. */
export function findNginx(): string | undefined {
  return findDebianProgram('nginx', 'usr/sbin/nginx', '-v');
}

/** The ports of nginx and of the servers behind it. */
interface NginxPorts {
  readonly tls: number;
  readonly server: number;
  /** Port of a second server. With it, the example of several servers is used. */
  readonly secondServer?: number;
}

/**
 * Starts nginx with the example configuration, changing only names, ports and the certificate.
 * `edit` makes further changes.
 */
export async function startNginx(
  executable: string,
  ports: NginxPorts,
  certificate: Certificate,
  edit: (configuration: string) => string = (configuration) => configuration,
): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-nginx-'));
  const plainPort = await findFreePort();
  writeFileSync(join(folder, 'cert.pem'), certificate.cert);
  writeFileSync(join(folder, 'key.pem'), certificate.key);
  const name = ports.secondServer === undefined ? 'nginx.conf' : 'several-servers/nginx.conf';
  const example = readFileSync(join(EXAMPLES, name), 'utf8')
    .replaceAll('chat.example.org;', 'localhost;')
    .replaceAll(/listen \[::\].*\n/g, '')
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replace('listen 443 ', `listen 127.0.0.1:${ports.tls} `)
    .replace('127.0.0.1:3000', `127.0.0.1:${ports.server}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${ports.secondServer}`)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${folder}/cert.pem;`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${folder}/key.pem;`);
  writeFileSync(join(folder, 'nginx.conf'), wholeConfiguration(folder, edit(example)));

  const child = spawn(executable, ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${errors}`);
    return fetch(`http://127.0.0.1:${plainPort}`, { redirect: 'manual' }).then(
      () => true,
      () => false,
    );
  });
  return {
    port: ports.tls,
    plainPort,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function wholeConfiguration(folder: string, example: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n');
  return `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
access_log off;
${temporary}
${example}
}
`;
}
