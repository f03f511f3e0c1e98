import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HOST, type Target } from './targets.ts';

const CACHE = join(import.meta.dirname, '../../../../node_modules/.cache/parley-binary');

/** Node's executable for a target. */
export interface BaseNode {
  readonly path: string;
  /** Steps that were skipped, for the developer who runs the build. */
  readonly notes: readonly string[];
}

/**
 * Returns Node's executable without debug symbols, cached in `node_modules/.cache`. Its version is
 * that of the Node that runs the build, because a binary can only be built by the same version.
 */
export function baseNode(target: Target): BaseNode {
  const folder = join(CACHE, `${target.name}-${process.versions.node}`);
  const path = join(folder, `node${target.suffix}`);
  const notes: string[] = [];
  mkdirSync(folder, { recursive: true });
  const part = `${path}.part`;
  copyFileSync(target.name === HOST ? process.execPath : fetchNode(target, folder), part);
  if (target.name.startsWith('win32')) removeSignature(part, notes);
  else strip(target, part, notes);
  renameSync(part, path);
  return { path, notes };
}

function fetchNode({ nodePackage, nodePath }: Target, folder: string): string {
  const file = join(folder, 'package', nodePath);
  if (existsSync(file)) return file;
  const spec = `${nodePackage}@${process.versions.node}`;
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, spec], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw new Error(`Could not download ${spec}`);
  execFileSync('tar', ['-xzf', archive], { cwd: folder });
  rmSync(join(folder, archive));
  return file;
}

/** Strips debug symbols, which saves 33 MB. Must happen before assets are embedded. */
function strip({ name }: Target, path: string, notes: string[]): void {
  // GNU strip only knows the format of the host.
  const tools = name === HOST ? ['strip', 'llvm-strip'] : ['llvm-strip'];
  const isStripped = tools.some((tool) => spawnSync(tool, [path]).status === 0);
  if (!isStripped)
    notes.push(`not stripped and therefore larger because ${tools.join(' or ')} is missing`);
}

/** Removes Node's own signature, which embedding assets invalidates. */
function removeSignature(path: string, notes: string[]): void {
  const signed = `${path}.signed`;
  renameSync(path, signed);
  const done = spawnSync('osslsigncode', ['remove-signature', '-in', signed, '-out', path]);
  if (done.status === 0) {
    rmSync(signed);
    return;
  }
  renameSync(signed, path);
  notes.push(
    "contains Node's signature, which is no longer valid, because osslsigncode is missing",
  );
}
