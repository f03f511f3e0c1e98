import { expect, test } from 'vitest';
import { findViolations, type LayerRule } from './find-violations.ts';

const violationsOf = (sources: Record<string, string>, rules?: readonly LayerRule[]) =>
  findViolations(new Map(Object.entries(sources)), rules);

test('reports a cycle of folders with its imports, including type imports', () => {
  const violations = violationsOf({
    'media/upload.ts': `import { endAccount } from '../accounts/account.ts';`,
    'accounts/account.ts': `import { x } from './keys.ts';\nimport { y } from '../erasure/erase.ts';`,
    'accounts/keys.ts': '',
    'erasure/erase.ts': `import type { Upload } from '../media/upload.ts';`,
    'mail/send.ts': `import { x } from '../accounts/account.ts';`,
  });
  expect(violations).toEqual([
    `a cycle of folders:
  media/upload.ts imports accounts/account.ts
  accounts/account.ts imports erasure/erase.ts
  erasure/erase.ts imports media/upload.ts`,
  ]);
});

test('reports a cycle through a file outside any folder', () => {
  const violations = violationsOf({
    'context.ts': `import type { DiskSpace } from './quotas/disk-space.ts';`,
    'quotas/disk-space.ts': `import type { Context } from '../context.ts';`,
  });
  expect(violations).toEqual([expect.stringContaining('a cycle of folders')]);
});

test('reports a cycle through components that are loaded on demand', () => {
  const violations = violationsOf({
    'routes/screens.ts': `export const load = () => import('../features/Page.tsx');`,
    'features/Page.tsx': `import { load } from '../routes/screens.ts';`,
  });
  expect(violations).toEqual([expect.stringContaining('a cycle of folders')]);
});

test('accepts folders that import each other in one direction, and styles', () => {
  expect(
    violationsOf({
      'index.ts': `export * from './a/first.ts';`,
      'a/first.ts': `import '../b/b.css';\nimport { x } from '../b/second.ts';\nimport './other.ts';`,
      'b/second.ts': `import a from '../a/a.svg';`,
    }),
  ).toEqual([]);
});

test('reports each import that breaks a rule of the package', () => {
  const rules = [{ why: 'nothing needs x', isBroken: (_from: string, to: string) => to === 'x' }];
  expect(violationsOf({ 'a/first.ts': `import x from 'x';\nimport y from 'y';` }, rules)).toEqual([
    'a/first.ts imports x: nothing needs x',
  ]);
});
