import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const oxlint = join(
  dirname(createRequire(import.meta.url).resolve('oxlint/package.json')),
  'bin/oxlint',
);

/** Returns the numbers of the lines of a source that a rule of a plugin in this folder reports. */
export function reportedLines(plugin: string, rule: string, lines: readonly string[]): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'parley-lint-'));
  try {
    const config = {
      jsPlugins: [join(import.meta.dirname, plugin)],
      categories: { correctness: 'off' },
      rules: { [rule]: 'error' },
    };
    writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(config));
    writeFileSync(join(folder, 'sample.ts'), lines.join('\n'));
    const { stdout, stderr } = spawnSync(process.execPath, [oxlint, '--format', 'json', '.'], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (stderr !== '') throw new Error(stderr);
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { labels: { span: { line: number } }[] }[];
    };
    return diagnostics.map(({ labels }) => labels[0]?.span.line ?? 0).toSorted((a, b) => a - b);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
