import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EMOJI_SETS } from '@parley/contract';
import { bundleTexts } from '@parley/texts/bundling';
import { rolldown } from 'rolldown';
import { packName } from '../src/emoji/emoji-pictures.ts';
import { baseNode } from './binary/base-node.ts';
import { nativePlugin } from './binary/native-plugin.ts';
import { HOST, TARGETS, type Target } from './binary/targets.ts';
import { lightHttp } from './light-http.ts';

// Makes executables of the server with everything in them: `npm run build:binary`, with
// `-- --target linux-arm64` (again for more) or `-- --target all` for other platforms.

const server = join(import.meta.dirname, '..');
const packs = ['web.pack', ...EMOJI_SETS.map(packName)].map((name) => [
  name,
  join(server, 'dist', name),
]);
const out = join(server, 'out');

const { values } = parseArgs({
  options: { target: { type: 'string', multiple: true } },
});
if (values.target === undefined && !TARGETS.some(({ name }) => name === HOST)) {
  // All checks run it, also where there is nothing to build.
  console.log(`There is no Node for ${HOST} to build upon; name another platform with --target.`);
  process.exit();
}
const wanted = values.target ?? [HOST];
const names = wanted.includes('all') ? TARGETS.map(({ name }) => name) : wanted;
const unknown = names.filter((name) => !TARGETS.some((target) => target.name === name));
if (unknown.length > 0) {
  const known = TARGETS.map(({ name }) => name).join(', ');
  process.stderr.write(`There is no Node for ${unknown.join(', ')}; there is for ${known}.\n`);
  process.exit(2);
}
const targets = TARGETS.filter(({ name }) => names.includes(name));

if (!packs.every(([, pack = '']) => existsSync(pack))) {
  process.stderr.write('Nothing is built yet: `npm run build:binary` builds everything.\n');
  process.exit(1);
}
mkdirSync(out, { recursive: true });
for (const target of targets) {
  const { name, notes } = await build(target);
  console.log(`${name}  ${(statSync(join(out, name)).size / 1e6).toFixed(1)} MB`);
  for (const note of notes) console.log(`  ${note}`);
}
// Of those that were built before, too.
const built = TARGETS.map(executable).filter((name) => existsSync(join(out, name)));
writeFileSync(join(out, 'SHA256SUMS'), built.map((name) => `${sumOf(name)}  ${name}\n`).join(''));
console.log(`In ${out}, with SHA256SUMS.`);

function executable({ name, suffix }: Target): string {
  return `parley-${name}${suffix}`;
}

function sumOf(name: string): string {
  return createHash('sha256')
    .update(readFileSync(join(out, name)))
    .digest('hex');
}

async function build(target: Target): Promise<{ name: string; notes: string[] }> {
  const name = executable(target);
  const base = baseNode(target);
  const work = mkdtempSync(join(out, '.build-'));
  try {
    const assets: Record<string, string> = Object.fromEntries(packs);
    const main = join(work, 'parley.mjs');
    await bundle(target, main, assets);
    const config = join(work, 'sea.json');
    const options = {
      main,
      mainFormat: 'module',
      executable: base.path,
      output: join(out, name),
      disableExperimentalSEAWarning: true,
      // Made by the V8 that will read it; any other refuses it.
      useCodeCache: target.name === HOST,
      // NODE_OPTIONS of whoever starts it must not change what it runs.
      execArgvExtension: 'none',
      assets,
    };
    writeFileSync(config, JSON.stringify(options));
    execFileSync(process.execPath, ['--build-sea', config], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return { name, notes: [...base.notes, ...sign(target, join(out, name))] };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function bundle(
  { name }: Target,
  file: string,
  assets: Record<string, string>,
): Promise<void> {
  const bundled = await rolldown({
    input: join(server, 'src/main.ts'),
    platform: 'node',
    plugins: [bundleTexts('errors', 'mail'), lightHttp(), nativePlugin(name, assets)],
    // There is no folder that the code of a package lies in.
    transform: { define: { __dirname: '""' } },
  });
  await bundled.write({
    file,
    format: 'esm',
    codeSplitting: false,
    // Lines stay, so that an error shows one of them and not all.
    minify: { compress: true, mangle: true, codegen: { removeWhitespace: false } },
  });
  await bundled.close();
}

/** macOS starts nothing on Apple silicon without a signature, be it one that names nobody. */
function sign({ name }: Target, file: string): string[] {
  if (name.startsWith('win32')) return ['not signed'];
  if (!name.startsWith('darwin')) return [];
  const isSigned = spawnSync('codesign', ['--sign', '-', '--force', file]).status === 0;
  return isSigned
    ? ['signed ad hoc, by nobody in particular']
    : ['not signed: run `codesign --sign - --force` on it on a Mac, or it will not start'];
}
