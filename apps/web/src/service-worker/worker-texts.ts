import type { TextFiles } from '@parley/texts';
import { LANGUAGE_KEY, POINTER_CACHE } from '../worker-contract.ts';

type WorkerTexts = TextFiles['worker'];

/** The worker's own texts by language, the default one first. `scripts/service-worker-plugin.ts` inserts them. */
declare const TEXTS: Readonly<Record<string, WorkerTexts>>;

/**
 * Resolves to the worker's texts and their language.
 * @param preferred the language of the notification, if it is known
 */
export async function findWorkerTexts(
  preferred: string | undefined,
): Promise<WorkerTexts & { language: string }> {
  const codes = [preferred, await readLastLanguage(), navigator.language.split('-')[0]];
  const entries = Object.entries(TEXTS);
  const wanted = codes.map((code) => entries.find(([language]) => language === code));
  const [language, texts] = wanted.find((entry) => entry !== undefined) ?? entries[0] ?? [];
  if (language === undefined || !texts) throw new Error('the service worker has no texts');
  return { ...texts, language };
}

/** Resolves to the language that a page of the app was last shown in. */
async function readLastLanguage(): Promise<string | undefined> {
  try {
    const stored = await caches.match(LANGUAGE_KEY, { cacheName: POINTER_CACHE });
    return await stored?.text();
  } catch {
    // Safari's caches may fail with an internal error.
    return undefined;
  }
}
