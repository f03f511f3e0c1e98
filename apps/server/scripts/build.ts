import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EMOJI_SETS } from '@parley/contract';
import { bundleTexts } from '@parley/texts/bundling';
import { rolldown } from 'rolldown';
import { readDocsFiles } from '../src/docs/docs-files.ts';
import { packName } from '../src/emoji/emoji-images.ts';
import { RENDERER_FILES, sourceOf } from '../src/inspection/formats/svg/svg-renderer.ts';
import { writeWebPack } from '../src/web-client/web-pack.ts';
import { defineBuild, readBuild } from './build-info.ts';
import { buildEmojiPack } from './emoji-packs.ts';
import { lightHttp } from './light-http.ts';
import { compress, packFolder } from './pack-folder.ts';

const serverDir = join(import.meta.dirname, '..');
const webDist = join(serverDir, '../web/dist');
const dist = join(serverDir, 'dist');

/** Packages with native code, which are not bundled. */
const NATIVE = ['argon2', 'better-sqlite3'];

if (!existsSync(join(webDist, 'index.html'))) {
  process.stderr.write(
    'The web client has not been built yet. Run `npm run build`, which builds both.\n',
  );
  process.exit(1);
}
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);

const files = await packFolder(webDist);
for (const [path, file] of readDocsFiles()) files.set(path, await compress(file));
writeFileSync(join(dist, 'web.pack'), writeWebPack(files));
for (const set of EMOJI_SETS) writeFileSync(join(dist, packName(set)), buildEmojiPack(set));

const bundle = await rolldown({
  input: join(serverDir, 'src/main.ts'),
  platform: 'node',
  external: NATIVE,
  plugins: [bundleTexts('errors', 'export', 'mail', 'push'), lightHttp()],
  transform: { define: defineBuild(readBuild(join(serverDir, '../..'), process.env)) },
});
await bundle.write({
  file: join(dist, 'main.mjs'),
  format: 'esm',
  codeSplitting: false,
  sourcemap: true,
});
await bundle.close();

// The thread that inspects uploads, and what it needs to render SVG.
const worker = await rolldown({
  input: join(serverDir, 'src/inspection/inspection.worker.ts'),
  platform: 'node',
});
await worker.write({
  file: join(dist, 'inspection-worker.cjs'),
  format: 'cjs',
  codeSplitting: false,
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
});
await worker.close();
mkdirSync(join(dist, 'svg-renderer'));
for (const name of RENDERER_FILES.keys()) copyFileSync(sourceOf(name), join(dist, name));
