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
import { packName } from '../src/emoji/emoji-images.ts';
import { RENDERER_FILES } from '../src/inspection/formats/svg/svg-renderer.ts';
import { baseNode } from './binary/base-node.ts';
import { nativePlugin } from './binary/native-plugin.ts';
import { HOST, TARGETS, type Target } from './binary/targets.ts';
import { defineBuild, readBuild } from './build-info.ts';
import { lightHttp } from './light-http.ts';

// Builds single-file executables of the server: `npm run build:binary`, with `-- --target linux-arm64`
// (repeatable) or `-- --target all` for other platforms.

const server = join(import.meta.dirname, '..');
const packs = [
  'web.pack',
  ...EMOJI_SETS.map(packName),
  'inspection-worker.cjs',
  ...RENDERER_FILES.keys(),
].map((name) => [name, join(server, 'dist', name)]);
const out = join(server, 'out');
const source = readBuild(join(server, '../..'), process.env);

const { values } = parseArgs({
  options: { target: { type: 'string', multiple: true } },
});
if (values.target === undefined && !TARGETS.some(({ name }) => name === HOST)) {
  // Not an error, because `npm run check` runs this on every platform.
  console.log(`Node is not available for ${HOST}. Choose another platform with --target.`);
  process.exit();
}
const wanted = values.target ?? [HOST];
const names = wanted.includes('all') ? TARGETS.map(({ name }) => name) : wanted;
const unknown = names.filter((name) => !TARGETS.some((target) => target.name === name));
if (unknown.length > 0) {
  const known = TARGETS.map(({ name }) => name).join(', ');
  process.stderr.write(`Unknown target ${unknown.join(', ')}. Available targets: ${known}.\n`);
  process.exit(2);
}
const targets = TARGETS.filter(({ name }) => names.includes(name));

if (!packs.every(([, pack = '']) => existsSync(pack))) {
  process.stderr.write(
    'Nothing to package yet. Run `npm run build:binary`, which builds everything.\n',
  );
  process.exit(1);
}
mkdirSync(out, { recursive: true });
for (const target of targets) {
  const { name, notes } = await build(target);
  console.log(`${name}  ${(statSync(join(out, name)).size / 1e6).toFixed(1)} MB`);
  for (const note of notes) console.log(`  ${note}`);
}
// Includes executables of earlier builds.
const built = TARGETS.map(executable).filter((name) => existsSync(join(out, name)));
writeFileSync(join(out, 'SHA256SUMS'), built.map((name) => `${sumOf(name)}  ${name}\n`).join(''));
console.log(`Written to ${out}, with SHA256SUMS.`);

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
      // Only the V8 that created a code cache accepts it.
      useCodeCache: target.name === HOST,
      // Ignores NODE_OPTIONS of the environment.
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
    plugins: [
      bundleTexts('errors', 'export', 'mail', 'push'),
      lightHttp(),
      nativePlugin(name, assets),
    ],
    // Packages in the bundle have no folder of their own.
    transform: { define: { __dirname: '""', ...defineBuild(source) } },
  });
  await bundled.write({
    file,
    format: 'esm',
    codeSplitting: false,
    // Keep line breaks, so that an error shows a single line instead of the whole bundle.
    minify: { compress: true, mangle: true, codegen: { removeWhitespace: false } },
  });
  await bundled.close();
}

/** Signs ad hoc, because macOS on Apple silicon does not run executables without a signature. */
function sign({ name }: Target, file: string): string[] {
  if (name.startsWith('win32')) return ['not signed'];
  if (!name.startsWith('darwin')) return [];
  const isSigned = spawnSync('codesign', ['--sign', '-', '--force', file]).status === 0;
  return isSigned
    ? ['signed ad hoc']
    : ['not signed: run `codesign --sign - --force` on it on a Mac before starting it'];
}
