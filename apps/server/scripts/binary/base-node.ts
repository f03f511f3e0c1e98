import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HOST, type Target } from './targets.ts';

const CACHE = join(import.meta.dirname, '../../../../node_modules/.cache/parley-binary');

/** Node's executable for a target, and what was done to it. */
export interface BaseNode {
  readonly path: string;
  /** For the person who builds: what could not be done. */
  readonly notes: readonly string[];
}

/**
 * Node's executable of this very version, without its debugging symbols. Node builds nothing upon
 * another version than its own. Kept below `node_modules/.cache`.
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
  if (archive === undefined) throw new Error(`${spec} could not be fetched`);
  execFileSync('tar', ['-xzf', archive], { cwd: folder });
  rmSync(join(folder, archive));
  return file;
}

/** 33 MB less. It has to be done before anything is put in. */
function strip({ name }: Target, path: string, notes: string[]): void {
  // GNU strip knows the machine's own format only.
  const tools = name === HOST ? ['strip', 'llvm-strip'] : ['llvm-strip'];
  const isStripped = tools.some((tool) => spawnSync(tool, [path]).status === 0);
  if (!isStripped) notes.push(`not stripped, and so larger: ${tools.join(' or ')} is missing`);
}

/** Node's own signature does not fit any more once something is put in. */
function removeSignature(path: string, notes: string[]): void {
  const signed = `${path}.signed`;
  renameSync(path, signed);
  const done = spawnSync('osslsigncode', ['remove-signature', '-in', signed, '-out', path]);
  if (done.status === 0) {
    rmSync(signed);
    return;
  }
  renameSync(signed, path);
  notes.push("Node's signature is still in it and no longer valid: osslsigncode is missing");
}
