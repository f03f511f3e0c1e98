import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { newestChange } from './newest-change.ts';

// `npm start` runs this first, so that a fresh clone or changed sources are built automatically.

const root = join(import.meta.dirname, '../../..');
const at = (path: string) => join(root, path);

const SHARED = [
  'package-lock.json',
  'tsconfig.json',
  'packages/contract/package.json',
  'packages/contract/src',
  'packages/texts',
];

const PARTS = [
  {
    name: 'the web client',
    workspace: '@parley/web',
    sources: [
      ...SHARED,
      'packages/client/package.json',
      'packages/client/src',
      'packages/renderer/package.json',
      'packages/renderer/src',
      'apps/web/index.html',
      'apps/web/package.json',
      'apps/web/public',
      'apps/web/scripts',
      'apps/web/src',
      'apps/web/vite.config.ts',
    ],
    outputs: ['apps/web/dist/index.html'],
  },
  {
    name: 'the server',
    workspace: '@parley/server',
    sources: [
      ...SHARED,
      'apps/server/package.json',
      'apps/server/scripts',
      'apps/server/src',
      'apps/web/dist/index.html',
    ],
    outputs: [
      'main.mjs',
      'inspection-worker.cjs',
      'web.pack',
      'emoji-twitter.pack',
      'emoji-google.pack',
    ].map((name) => `apps/server/dist/${name}`),
  },
];

for (const { name, workspace, sources, outputs } of PARTS) {
  const built = Math.min(...outputs.map((output) => modified(at(output))));
  if (built > newestChange(sources.map(at))) continue;
  // Not to the standard output, which may be an archive or JSON.
  process.stderr.write(`Building ${name}${built === 0 ? '' : ' because its sources changed'} …\n`);
  const build = spawnSync(`npm run build --silent --workspace=${workspace}`, {
    cwd: root,
    shell: true,
    encoding: 'utf8',
  });
  if (build.status !== 0) {
    process.stderr.write(`${build.stdout}${build.stderr}Building ${name} failed.\n`);
    process.exit(1);
  }
}

function modified(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
