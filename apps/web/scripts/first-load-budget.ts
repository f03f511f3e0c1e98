import { gzipSync } from 'node:zlib';
import { LANGUAGE_CODES } from '@parley/texts';
import type { Plugin, Rolldown } from 'vite';
import { findChunks, isOfStart, isOfTexts } from './start-modules.ts';

/** Limits of the JavaScript that a start loads until its screen can be used. */
interface StartLimits {
  readonly files: number;
  /** Compressed bytes. */
  readonly size: number;
}

interface StartBudget {
  readonly login: StartLimits;
  readonly chats: StartLimits;
}

/** Fails the build if a start with the login or with the chat list needs more than its limits in a language. */
export function firstLoadBudget(budget: StartBudget): Plugin {
  return {
    name: 'parley:first-load-budget',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const language of LANGUAGE_CODES) {
        const { login, chats } = findStartChunks(bundle, language);
        for (const [screen, chunks, limits] of [
          ['login', login, budget.login],
          ['chat list', chats, budget.chats],
        ] as const) {
          const size = [...chunks].reduce((sum, { code }) => sum + compressedSize(code), 0);
          const summary = `first load of the ${screen} (${language}): ${chunks.size} files of ${limits.files}, ${kib(size)} KiB of ${kib(limits.size)} KiB compressed JavaScript`;
          if (size > limits.size) this.error(`${summary}: make a screen or a library lazy`);
          if (chunks.size > limits.files) this.error(`${summary}: extend scripts/chunk-groups.ts`);
          this.info(summary);
        }
      }
    },
  };
}

function findStartChunks(bundle: Rolldown.OutputBundle, language: string) {
  const find = (isWanted: Parameters<typeof findChunks>[1]) => findChunks(bundle, isWanted);
  const login = find(({ isEntry }) => isEntry).union(find(isOfTexts(language, 'app')));
  const chats = login.union(find(isOfStart('user'))).union(find(isOfTexts(language, 'screens')));
  return { login, chats };
}

function kib(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}

function compressedSize(code: string): number {
  return gzipSync(code, { level: 9 }).length;
}
